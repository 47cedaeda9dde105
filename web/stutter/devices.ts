/** In what a page is measured: a wide window and a phone, in Chromium without a graphics card. */
import { type Browser, type BrowserContext, type CDPSession, devices, type Page } from "@playwright/test";
import { installPageProbe } from "./page-probe.ts";

/** How much slower a phone's processor is taken to be than this machine's. */
const PHONE_SLOWER = 4;

export interface Device {
  name: string;
  slower: number;
  context: Parameters<Browser["newContext"]>[0];
}

export const DEVICES: Device[] = [
  { name: "1280", slower: 1, context: { viewport: { width: 1280, height: 800 } } },
  { name: "phone", slower: PHONE_SLOWER, context: devices["Pixel 7"] },
];

/** A page of a browser that has nothing stored but somebody's cookie. */
export interface Fresh {
  context: BrowserContext;
  page: Page;
  cdp: CDPSession;
}

/** As quick as this machine is; `slowDown` makes it as quick as the device. */
export async function freshOn(browser: Browser, device: Device, at: string, cookie: string): Promise<Fresh> {
  const context = await browser.newContext(device.context);
  const [name = "", value = ""] = cookie.split(/=(.*)/s);
  await context.addCookies([{ name, value, url: at }]);
  const page = await context.newPage();
  await page.addInitScript(installPageProbe);
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  return { context, page, cdp };
}

export async function slowDown(cdp: CDPSession, device: Device): Promise<void> {
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: device.slower });
}

/** After what nobody holds any more has been put away. */
export async function weigh(cdp: CDPSession): Promise<{ heapMb: number; nodes: number }> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heapMb: of("JSHeapUsedSize") / 1024 / 1024, nodes: of("Nodes") };
}
