/** What every page and state is held to: axe finds nothing. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";

export async function expectAccessible(page: Page): Promise<void> {
  // Colours are measured when they have settled.
  await page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((animation) => animation.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
        .map((animation) => animation.finished.catch(() => {})),
    ),
  );
  // In the page itself: no page has another site's frame, and without that each look would open a tab to count in, also beside
  // a call. What passes is not told one by one.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** The same in the light and in the dark, in which the page is left. */
export async function expectAccessibleByDayAndNight(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await test.step(`in the ${colorScheme}`, () => expectAccessible(page));
  }
}
