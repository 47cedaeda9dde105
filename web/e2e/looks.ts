/** How a page of the desk is looked at: axe finds nothing, and nothing of it is wider than the screen. */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";

type Size = readonly [width: number, height: number];

const PHONE: Size = [360, 740];
/** As a desk's browser begins here. */
const USUAL: Size = [1280, 720];
const WIDE: Size = [1440, 900];

/** Looks at what is there, in every width and both schemes. */
export async function looked(page: Page, state: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of [PHONE, USUAL, WIDE]) await fits(page, `${state}-${colorScheme}`, size);
    await test.step(`axe: ${state}, ${colorScheme}`, () => expectAccessible(page));
  }
  await resized(page, USUAL);
}

/** The same of a call that goes on meanwhile: at a desk and on a phone, as the scheme is. The page is left as wide as it was. */
export async function glanced(page: Page, state: string): Promise<void> {
  const was = page.viewportSize();
  for (const size of [PHONE, USUAL]) await fits(page, state, size);
  if (was) await page.setViewportSize(was);
  await test.step(`axe: ${state}`, () => expectAccessible(page));
}

async function fits(page: Page, state: string, size: Size): Promise<void> {
  const [width] = size;
  await resized(page, size);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${state}, ${width}`).toBeLessThanOrEqual(0);
}

const resized = (page: Page, [width, height]: Size) => page.setViewportSize({ width, height });
