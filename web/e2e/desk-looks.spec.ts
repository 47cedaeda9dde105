/**
 * The desk as people stare at it for eight hours: every place that can be had without a call, in the light and in the dark, on
 * a phone, at 1280 and wide. What a live call looks like is looked at where there is one: in `hand-over.spec.ts`.
 */
import type { Page } from "@playwright/test";
import { DutyOfficer, invite, openDesk } from "./duty-officer.ts";
import { expect, test } from "./fixtures.ts";
import { looked } from "./looks.ts";
import { startServer } from "./server.ts";

const goTo = (page: Page, place: string) =>
  page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: place, exact: true }).click();

/** As a date field takes it, in Singapore: two hours ago. */
const earlier = () => new Date(Date.now() + 6 * 3_600_000).toISOString().slice(0, 16);

async function enterCase(page: Page, title: string): Promise<void> {
  await page.getByRole("link", { name: "Enter a call taken elsewhere" }).click();
  await page.getByLabel("It began").fill(earlier());
  await page.getByLabel("Minutes").fill("12");
  await page.getByLabel("Title").fill(title);
  await page.getByLabel("Summary").fill("She is at her sister’s tonight, with both children.");
  await page.getByLabel("Agency", { exact: true }).selectOption("SPF");
  await page.getByRole("checkbox", { name: "Urgent" }).check();
  await page.getByRole("button", { name: "Enter the call", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: title })).toBeVisible();
}

test("each place of the desk is whole in every width, in the light and in the dark", async ({ page }) => {
  const server = await startServer({ VOICE: "slt" });
  const people: DutyOfficer[] = [];
  const signedIn = async (name: string, role: "supervisor" | "administrator" | "auditor") => {
    const person = await DutyOfficer.signedIn(server, { name, role });
    people.push(person);
    return person.page;
  };
  try {
    openDesk(server);
    const sam = await signedIn("Sam", "supervisor");
    await expect(sam.getByText("Reading the live calls")).toHaveCount(0);
    await looked(sam, "desk");
    await goTo(sam, "Cases");
    await enterCase(sam, "Afraid of her son, who shouts at night and has taken her keys");
    await looked(sam, "case");
    await goTo(sam, "Cases");
    await looked(sam, "queue");
    await goTo(sam, "Report");
    await expect(sam.getByRole("region", { name: "The night at a glance" })).toBeVisible();
    await looked(sam, "report");
    await goTo(sam, "Shifts");
    await expect(sam.getByRole("list", { name: "Days" })).toBeVisible();
    await looked(sam, "shifts");

    const eve = await signedIn("Eve", "administrator");
    await expect(eve.getByRole("button", { name: "Change Sam" })).toBeVisible();
    await looked(eve, "accounts");

    const amir = await signedIn("Amir", "auditor");
    await expect(amir.getByRole("region", { name: "Audit trail" })).toContainText(/case entered/i);
    await looked(amir, "trail");

    await page.goto(invite(server, { name: "Ravi", role: "officer", agencies: "SOS" }));
    await expect(page.getByRole("heading", { name: "Welcome to the duty desk, Ravi" })).toBeVisible();
    await looked(page, "invitation");
    await page.goto(`${server.url}/desk?sign-in`);
    await expect(page.getByLabel("Sign-in name")).toBeVisible();
    await looked(page, "sign-in");
  } finally {
    await Promise.all(people.map((person) => person.close()));
    await server.stop();
  }
});
