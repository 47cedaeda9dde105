/** How a conversation ends for the one who called: a card in view, with whom to ring and what was written down. */
import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { type Answers, CallPage } from "./call-page.ts";
import { expect, test } from "./fixtures.ts";

const SIZES = [
  { width: 360, height: 640 },
  { width: 360, height: 740 },
  { width: 820, height: 1180 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
];

const title = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const note = (page: Page) => page.getByRole("region", { name: "What was written down" });

/** The card stands in every size, light and dark, and nothing is wider than the screen. */
async function expectWellShown(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
    await expectAccessible(page);
    await page.setViewportSize({ width: 360, height: 640 });
    await expectAccessible(page);
  }
}

test("after a warm transfer: to whom, that nobody was dialled, their number, and the note", async ({
  page,
  server,
}) => {
  const call = await CallPage.open(page, server.url);
  await page.setViewportSize({ width: 360, height: 640 });
  await call.start();
  await call.hearTurn();
  await call.say("I don't want to live any more.");
  await call.converse([]);

  const heading = title(page, "Handed over to Samaritans of Singapore (SOS)");
  const ring = page.getByRole("link", { name: "Ring 1767 Suicide helpline, day and night" });
  await expect(heading).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(/nobody was dialled: please ring them yourself/)).toBeInViewport({ ratio: 1 });
  await expect(ring).toBeInViewport({ ratio: 1 });
  await expect(ring).toHaveAttribute("href", "tel:1767");
  await expect(heading).toBeFocused();
  await expect(page.getByRole("status").filter({ hasText: /^The call was handed over/ })).toBeAttached();
  await expect(note(page)).toContainText(/Caller .*suicid/);
  await expectWellShown(page);

  await note(page).getByRole("button", { name: "Open the case note" }).click();
  const panel = page.getByRole("dialog", { name: "Call Log" });
  await expect(panel.getByText("TRANSFER TO")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(note(page).getByRole("button", { name: "Open the case note" })).toBeFocused();
  await call.start();
});

test("after a goodbye: thanks, a person to ring, and the way to call again", async ({ page, server }) => {
  const call = await CallPage.open(page, server.url);
  await page.setViewportSize({ width: 360, height: 640 });
  await call.start();
  await call.hearTurn();
  await call.say("Yes, I am safe. I only wanted to talk for a moment.");
  await call.converse([
    // Not on one word alone: while the machine is busy a "No" was heard as "Yep".
    [
      /ending your life|not wanting to live|wanting to live|suicide|dying/i,
      "Nothing like that. I want to live.",
    ],
    [/safe|danger|hurt/i, "Yes, I am safe. Nobody hurts me."],
    [/.*/, "No, thank you. Goodbye."],
  ]);

  await expect(title(page, "The call has ended")).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(/^Thank you for talking\. You can call again/)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("link", { name: /^Ring 1771/ })).toBeInViewport({ ratio: 1 });
  await expect(call.talk).toBeEnabled();
  await expectWellShown(page);
});

test("after End Call: that it was the caller, and the note", async ({ page, server }) => {
  const call = await CallPage.open(page, server.url);
  await page.setViewportSize({ width: 360, height: 640 });
  await call.start();
  await call.hearTurn();
  await call.end.click();
  await expect(title(page, "You ended the call")).toBeInViewport({ ratio: 1 });
  await expect(call.talk).toBeFocused();
  await expect(note(page).getByRole("button", { name: "Open the case note" })).toBeVisible();
  await page.getByText("What was said").click();
  await expect(page.getByRole("log", { name: "Live captions" })).toContainText("AI");
  await expectWellShown(page);
});

/** Answers in writing until the conversation is over. */
async function write(page: Page, first: string, answers: Answers): Promise<void> {
  const field = page.getByRole("textbox", { name: "Your message" });
  const over = page.getByRole("button", { name: "Write to Nightlight" });
  const lines = page.getByRole("log", { name: "Conversation" }).locator("[data-speaker=assistant]");
  let answer: string | undefined = first;
  while (answer) {
    const heard = await lines.count();
    await field.fill(answer);
    await page.keyboard.press("Enter");
    await expect(lines.nth(heard).or(over)).toBeVisible();
    if (await over.isVisible()) return;
    const asked = await lines.last().textContent();
    answer = answers.find(([question]) => question.test(asked ?? ""))?.[1];
    if (!answer) throw new Error(`no answer was foreseen to: ${asked}`);
  }
}

test("after a cold transfer with consent: the next working day, and that here nothing is passed on", async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await page.goto(`${server.url}/Demo?by=writing`);
  await page.getByRole("button", { name: "Write to Nightlight" }).click();
  await expect(page.getByRole("textbox", { name: "Your message" })).toBeFocused();
  await write(page, "My mother insults me and calls me worthless every day.", [
    [/reach you/i, "A message in the evening is fine."],
    [/ending your life|not wanting to live|suicide|dying/i, "No, never."],
    [/hitting or hurting/i, "No, never."],
    [/how old|your age/i, "I am 15 years old."],
    [/eighteen|nineteen/i, "Yes. I am 15 years old."],
    [/name|call you/i, "My name is Mary."],
    [/anything else|something more|more support|anything more/i, "No, thank you. Goodbye."],
    [/share|pass/i, "Yes, you can share it."],
    [/where are you|address|part of singapore|roughly where/i, "I am at Orchard Road."],
    [/latest|last/i, "It happened yesterday."],
    [/husband|wife|who is it/i, "It is my mother."],
    [/safe|danger/i, "Yes, I am safe."],
    [/.*/, "My mother insults me and humiliates me every day."],
  ]);
  await expect(title(page, "Your case is for the Child Protective Service (CPS)")).toBeInViewport({
    ratio: 1,
  });
  await expect(page.getByText(/within the next working day/).first()).toBeVisible();
  await expect(page.getByText(/nothing is passed on/)).toBeVisible();
  const ring = page.getByRole("link", { name: /^Ring 1800 777 0000/ });
  await expect(ring).toHaveAttribute("href", "tel:18007770000");
  await expect(ring).toBeInViewport({ ratio: 1 });
  await expectWellShown(page);
  await page.getByRole("button", { name: "Write to Nightlight" }).click();
  await expect(page.getByRole("textbox", { name: "Your message" })).toBeFocused();
});
