/**
 * The figures that the landing page shows, read from the documents that the evaluations write: the page
 * cannot say what they do not. Imported as `virtual:measured`. See decision 0030.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";
import type { Measured, Share } from "../src/pages/landing/measured.ts";

const NAME = "virtual:measured";
const RESOLVED = `\0${NAME}`;
const DOCS = path.resolve(import.meta.dirname, "../../docs");
const BENCH = path.resolve(import.meta.dirname, "../../bench/results");

export function measured(): Plugin {
  return {
    name: "nightlight-measured",
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null;
      return `export const MEASURED = ${JSON.stringify(readMeasured())};`;
    },
  };
}

export function readMeasured(): Measured {
  const read = (name: string) => readFileSync(path.join(DOCS, name), "utf8");
  // Named by their dates.
  const newest = readdirSync(BENCH)
    .filter((name) => name.endsWith("-calls.md"))
    .toSorted()
    .at(-1);
  if (!newest) throw new Error("bench/results holds no measurement of calls");
  return {
    text: byText(read("evaluation.md")),
    voice: byVoice(read("evaluation-voice.md")),
    reply: ofReplies(readFileSync(path.join(BENCH, newest), "utf8")),
  };
}

/** The sum of all sets of callers but the one that may be read by those who work on the program. */
export function byText(document: string): Measured["text"] {
  const sets = document
    .split(/^## /m)
    .slice(1)
    .filter((set) => !set.startsWith("open"));
  const sum = (what: RegExp): Share =>
    sets
      .map((set) => share(what, set))
      .reduce((one, other) => ({ of: one.of + other.of, found: one.found + other.found }));
  return {
    date: dateOf(document),
    agency: sum(/Agency right: [\d.]+ % \((\d+)\/(\d+)\)/),
    highRisk: sum(/High risk found: (\d+)\/(\d+)/),
    falseAlarms: sum(/False alarms: (\d+)\/(\d+)/),
  };
}

export function byVoice(document: string): Measured["voice"] {
  return {
    date: dateOf(document),
    agency: share(/^\| agency right \|.*?\| (\d+)\/(\d+) \(/m, document),
    highRisk: share(/^\| high risk found \|.*?\| (\d+)\/(\d+) \(/m, document),
    falseAlarms: share(/^\| false alarms \|.*?\| (\d+)\/(\d+) \(/m, document),
  };
}

/** With the helpline's own wait of three seconds, one call at a time. */
export function ofReplies(document: string): Measured["reply"] {
  const date = /^- Date: (\d{4}-\d{2}-\d{2})/m.exec(document)?.[1];
  const median = /^\| 3 s \| 1 \| [^|]+ \| (\d+) ms \|/m.exec(document)?.[1];
  if (!date || !median) throw new Error("the bench no longer says how soon a reply comes");
  return { date, medianMs: Number(median) };
}

function share(what: RegExp, document: string): Share {
  const [, found, of] = what.exec(document) ?? [];
  if (!found || !of) throw new Error(`an evaluation in docs/ no longer says ${what}`);
  return { found: Number(found), of: Number(of) };
}

function dateOf(document: string): string {
  const date = /^Measured: (\d{4}-\d{2}-\d{2})/m.exec(document)?.[1];
  if (!date) throw new Error("an evaluation in docs/ does not say when it was measured");
  return date;
}
