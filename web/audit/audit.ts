/**
 * Runs Lighthouse on the built site, served by the server's own binary, with Debian's Chromium, and
 * writes what it found to `docs/audit.md`. `make audit` runs it; it fails when a page falls below its
 * goal. Lighthouse is fetched for this alone, into a cache: it is heavy, and nothing else needs it.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { startServer } from "../e2e/server.ts";
import { CHROMIUM } from "../playwright.config.ts";
import { type Audited, CATEGORIES, type Category, reportOf } from "./report.ts";

/** The newest that runs on Node.js 20. */
const LIGHTHOUSE = "lighthouse@12.8.2";
const FETCHED_TO = path.resolve(import.meta.dirname, "../node_modules/.cache", LIGHTHOUSE);
const CLI = path.join(FETCHED_TO, "node_modules/lighthouse/cli/index.js");
/** Beyond this a run has hung. */
const RUN_WITHIN_MS = 300_000;
const run = promisify(execFile);
const REPORT = path.resolve(import.meta.dirname, "../../docs/audit.md");
/** A score is the middle one of so many runs, because a machine is never quite idle. */
const RUNS = Number(process.env.AUDIT_RUNS ?? 3);

const ALL_BUT_FAST = { accessibility: 100, "best-practices": 100, seo: 100 };
const PAGES: { path: string; goals: Record<Category, number> }[] = [
  { path: "/", goals: { performance: 95, ...ALL_BUT_FAST } },
  { path: "/Companion", goals: { performance: 95, ...ALL_BUT_FAST } },
  { path: "/Demo", goals: { performance: 90, accessibility: 90, "best-practices": 90, seo: 90 } },
];

interface LighthouseResult {
  categories: Record<Category, { score: number | null }>;
  audits: Record<
    string,
    { title: string; score: number | null; scoreDisplayMode: string; displayValue?: string }
  >;
  environment: { benchmarkIndex: number };
}

if (!existsSync(CLI)) {
  await run("npm", ["install", "--no-audit", "--no-fund", "--no-save", "--prefix", FETCHED_TO, LIGHTHOUSE]);
}
const scratch = await mkdtemp(path.join(os.tmpdir(), "nightlight-audit-"));
const server = await startServer();
const audited: Audited[] = [];
let benchmark = 0;
try {
  for (const { path: page, goals } of PAGES) {
    for (const device of ["mobile", "desktop"] as const) {
      const runs: LighthouseResult[] = [];
      while (runs.length < RUNS) runs.push(await lighthouse(server.url + page, device));
      benchmark = Math.max(benchmark, ...runs.map(({ environment }) => environment.benchmarkIndex));
      const scores = Object.fromEntries(
        CATEGORIES.map((category) => [category, middle(runs.map((each) => score(each, category)))]),
      ) as Record<Category, number>;
      const audit = { page, device, goals, scores, missed: shortcomings(runs) };
      console.warn(page, device, JSON.stringify(scores), audit.missed.join("; "));
      audited.push(audit);
    }
  }
} finally {
  await server.stop();
  await rm(scratch, { recursive: true, force: true });
}

const machine = `${os.cpus().length} cores (${os.cpus()[0]?.model.trim()}), benchmark index ${Math.round(benchmark)}`;
const { text, reached } = reportOf(audited, {
  date: new Date(),
  machine,
  lighthouse: LIGHTHOUSE,
  runs: RUNS,
});
await writeFile(REPORT, text);
console.warn(`written: ${REPORT}`);
if (!reached) process.exitCode = 1;

async function lighthouse(url: string, device: "mobile" | "desktop"): Promise<LighthouseResult> {
  const output = path.join(scratch, "result.json");
  const options = [
    "--quiet",
    "--output=json",
    `--output-path=${output}`,
    `--only-categories=${CATEGORIES.join(",")}`,
    `--chrome-flags=${["--headless=new", ...CHROMIUM.args].join(" ")}`,
    ...(device === "desktop" ? ["--preset=desktop"] : []),
  ];
  const once = () =>
    run(process.execPath, [CLI, url, ...options], {
      env: { ...process.env, CHROME_PATH: CHROMIUM.executablePath },
      timeout: RUN_WITHIN_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
  // On a busy machine it sometimes misses the page's start, and asks to be run again.
  await once().catch(once);
  return JSON.parse(await readFile(output, "utf8")) as LighthouseResult;
}

function score(run: LighthouseResult, category: Category): number {
  return Math.round((run.categories[category].score ?? 0) * 100);
}

function middle(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** What Lighthouse would have liked better, by name. */
function shortcomings(runs: LighthouseResult[]): string[] {
  const audits = Object.values(runs[0]?.audits ?? {});
  return audits
    .filter(
      ({ score, scoreDisplayMode }) => score !== null && score < 0.9 && scoreDisplayMode !== "informative",
    )
    .map(({ title, displayValue }) => (displayValue ? `${title} (${displayValue})` : title));
}
