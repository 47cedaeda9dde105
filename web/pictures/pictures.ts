/**
 * The pictures that are made from the real pages, and how each is taken: the dashboard for the landing
 * page, the README's, the social-preview card, and the icons in the sizes that devices ask for.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "@playwright/test";

const WEB = path.resolve(import.meta.dirname, "..");

export interface Picture {
  /** Where it is kept, from `web/`. */
  file: string;
  take: (browser: Browser, url: string) => Promise<Buffer>;
}

const README = { width: 1440, height: 900 };
/** What the landing page shows of the dashboard, on a wide screen and on a narrow one. */
const DASHBOARDS = { wide: { width: 1440, height: 900 }, narrow: { width: 400, height: 640 } };
/** Above the dashboard's first part. */
const MARGIN = { wide: 40, narrow: 12 };
type Screen = keyof typeof DASHBOARDS;
type ColorScheme = "light" | "dark";

const ICONS = [
  { name: "icon-192", size: 192, inset: 0 },
  { name: "icon-512", size: 512, inset: 0 },
  // Devices cut these to their own shape: the sign keeps to the middle.
  { name: "icon-maskable-512", size: 512, inset: 60 },
  { name: "apple-touch-icon", size: 180, inset: 12 },
];

export const PICTURES: readonly Picture[] = [
  ...(["wide", "narrow"] as const).flatMap((screen) =>
    (["light", "dark"] as const).map((colorScheme) => ({
      file: `src/brand/screens/dashboard-${screen}-${colorScheme}.webp`,
      take: (browser: Browser, url: string) => takeDashboard(browser, url, screen, colorScheme),
    })),
  ),
  { file: "../docs/pictures/demo.png", take: takeReadme },
  { file: "public/social-card.png", take: takeCard },
  ...ICONS.map((icon) => ({
    file: `public/icons/${icon.name}.png`,
    take: (browser: Browser) => takeIcon(browser, icon),
  })),
];

/** The address of a picture's file. */
export function fileOf({ file }: Picture): string {
  return path.join(WEB, file);
}

async function openDemo(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/Demo`);
  // The ten samples are there, and the type.
  await page.getByRole("button", { name: /^Expand View of case 10/ }).waitFor();
  await page.evaluate(() => document.fonts.ready);
}

async function takeDashboard(
  browser: Browser,
  url: string,
  screen: Screen,
  colorScheme: ColorScheme,
): Promise<Buffer> {
  const { width, height } = DASHBOARDS[screen];
  const page = await browser.newPage({
    viewport: { width, height },
    deviceScaleFactor: screen === "narrow" ? 2 : 1,
    colorScheme,
    reducedMotion: "reduce",
  });
  await openDemo(page, url);
  // A narrow screen has no room for what stands above the cases.
  const first =
    screen === "wide" ? page.getByRole("heading", { name: "Call history" }) : page.getByRole("table");
  const top = await first.evaluate((part) => part.getBoundingClientRect().top + window.scrollY);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", {
    format: "webp",
    quality: 80,
    captureBeyondViewport: true,
    clip: { x: 0, y: top - MARGIN[screen], width, height, scale: 1 },
  });
  await page.close();
  return Buffer.from(data, "base64");
}

async function takeReadme(browser: Browser, url: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: README, colorScheme: "light", reducedMotion: "reduce" });
  await openDemo(page, url);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

async function takeCard(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.goto(pathToFileURL(path.join(import.meta.dirname, "social-card.html")).href);
  await page.evaluate(() => document.fonts.ready);
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

async function takeIcon(browser: Browser, { size, inset }: (typeof ICONS)[number]): Promise<Buffer> {
  const sign = await readFile(path.join(WEB, "public/favicon.svg"), "utf8");
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  const ground = inset > 0 ? "#0f1a35" : "transparent";
  await page.setContent(
    `<body style="margin:0;background:${ground};padding:${inset}px;box-sizing:border-box;height:100vh">${sign}</body>`,
  );
  const picture = await page.screenshot({ omitBackground: true });
  await page.close();
  return picture;
}
