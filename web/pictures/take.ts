/**
 * Takes the pictures that are made from the real pages again, with the server's own binary, fresh records,
 * and Debian's Chromium: `make pictures` runs it. With `--check` it writes nothing and says which of them
 * no longer show what the pages do: `make pictures-check`.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { startServer } from "../e2e/server.ts";
import { CHROMIUM } from "../playwright.config.ts";
import { difference } from "./likeness.ts";
import { fileOf, PICTURES, type Picture } from "./pictures.ts";

const checking = process.argv.includes("--check");
const server = await startServer();
const browser = await chromium.launch(CHROMIUM);
try {
  for (const picture of PICTURES) {
    const taken = await picture.take(browser, server.url);
    if (checking) await check(browser, picture, taken);
    else await keep(picture, taken);
  }
} finally {
  await browser.close();
  await server.stop();
}

async function keep(picture: Picture, taken: Buffer): Promise<void> {
  await mkdir(path.dirname(fileOf(picture)), { recursive: true });
  await writeFile(fileOf(picture), taken);
}

async function check(browser: Browser, picture: Picture, taken: Buffer): Promise<void> {
  const kept = await readFile(fileOf(picture)).catch(() => null);
  const type = path.extname(picture.file).slice(1);
  const differing = kept ? await difference(browser, type, kept, taken) : 1;
  if (differing === 0) return;
  console.error(
    `stale: ${picture.file} (${(differing * 100).toFixed(1)} % of it); make pictures takes it again`,
  );
  process.exitCode = 1;
}
