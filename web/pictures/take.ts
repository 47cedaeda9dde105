/**
 * Takes the pictures that are made from the real pages: the dashboard for the landing page, the README's,
 * the social-preview card, and the icons in the sizes that devices ask for. `make pictures` runs it, with
 * the server's own binary, fresh records, and Debian's Chromium.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "@playwright/test";
import { startServer } from "../e2e/server.ts";
import { CHROMIUM } from "../playwright.config.ts";

const WEB = path.resolve(import.meta.dirname, "..");
const SCREENS = path.join(WEB, "src/brand/screens");
const ICONS = path.join(WEB, "public/icons");

const README = { width: 1440, height: 900 };
/** What the landing page shows of the dashboard, on a wide screen and on a narrow one. */
const DASHBOARDS = { wide: { width: 1440, height: 900 }, narrow: { width: 400, height: 640 } };

await mkdir(SCREENS, { recursive: true });
await mkdir(ICONS, { recursive: true });
const server = await startServer();
const browser = await chromium.launch(CHROMIUM);
try {
  for (const width of ["wide", "narrow"] as const) {
    for (const colorScheme of ["light", "dark"] as const) {
      await takeDashboard(browser, server.url, width, colorScheme);
    }
  }
  await takeReadme(browser, server.url);
  await takeCard(browser);
  await takeIcons(browser);
} finally {
  await browser.close();
  await server.stop();
}

async function openDemo(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/Demo`);
  // The ten samples are there, their charts, and the type.
  await page.getByRole("button", { name: /^Expand View of case 10/ }).waitFor();
  const history = page.getByRole("region", { name: "Call history" });
  // They are drawn when they come near the view.
  await history.evaluate((section) => section.scrollIntoView());
  for (const chart of [0, 1]) await history.getByRole("img").nth(chart).waitFor();
  // Each chart has taken the width it was given, to the pixel below.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('section svg[role="img"]')].every(
      (chart) => (chart.parentElement?.clientWidth ?? 0) - chart.clientWidth <= 1,
    ),
  );
  await page.evaluate(async () => {
    await document.fonts.ready;
    window.scrollTo(0, 0);
  });
}

async function takeDashboard(
  browser: Browser,
  url: string,
  screen: keyof typeof DASHBOARDS,
  colorScheme: "light" | "dark",
): Promise<void> {
  const { width, height } = DASHBOARDS[screen];
  const page = await browser.newPage({
    viewport: { width, height },
    deviceScaleFactor: screen === "narrow" ? 2 : 1,
    colorScheme,
    reducedMotion: "reduce",
  });
  await openDemo(page, url);
  const top = await page
    .getByRole("heading", { name: "Call history" })
    .evaluate((heading) => heading.getBoundingClientRect().top + window.scrollY);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", {
    format: "webp",
    quality: 80,
    captureBeyondViewport: true,
    clip: { x: 0, y: top - 40, width, height, scale: 1 },
  });
  await writeFile(path.join(SCREENS, `dashboard-${screen}-${colorScheme}.webp`), Buffer.from(data, "base64"));
  await page.close();
}

async function takeReadme(browser: Browser, url: string): Promise<void> {
  const page = await browser.newPage({ viewport: README, colorScheme: "light", reducedMotion: "reduce" });
  await openDemo(page, url);
  await page.screenshot({ path: path.join(WEB, "../docs/pictures/demo.png") });
  await page.close();
}

async function takeCard(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.goto(pathToFileURL(path.join(import.meta.dirname, "social-card.html")).href);
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: path.join(WEB, "public/social-card.png") });
  await page.close();
}

async function takeIcons(browser: Browser): Promise<void> {
  const sign = await readFile(path.join(WEB, "public/favicon.svg"), "utf8");
  const sizes = [
    { name: "icon-192", size: 192, inset: 0 },
    { name: "icon-512", size: 512, inset: 0 },
    // Devices cut these to their own shape: the sign keeps to the middle.
    { name: "icon-maskable-512", size: 512, inset: 60 },
    { name: "apple-touch-icon", size: 180, inset: 12 },
  ];
  for (const { name, size, inset } of sizes) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    const ground = inset > 0 ? "#0f1a35" : "transparent";
    await page.setContent(
      `<body style="margin:0;background:${ground};padding:${inset}px;box-sizing:border-box;height:100vh">${sign}</body>`,
    );
    await page.screenshot({ path: path.join(ICONS, `${name}.png`), omitBackground: true });
    await page.close();
  }
}
