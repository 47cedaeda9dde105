/** The main-app page: landing page B, the sections below it, the mailing list, the creators' footer. */
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";
import { untilHydrated } from "./hydrated.ts";

test.beforeEach(async ({ page, server }) => {
  await page.goto(`${server.url}/Companion`);
  await untilHydrated(page);
});

test("it says what the specification has it say", async ({ page }) => {
  await expect(page.getByRole("img", { name: /phone: a login button, and two large buttons/ })).toBeVisible();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    "Why Use Candle",
    "You're not alone.",
    "Stay in the loop",
    "When it is more than a bad day",
    "People you can reach now",
    "Made by two creators",
    "If someone may look at this device",
  ]);
  for (const name of ["Always By Your Side", "Safe & Private", "Support For No Cost"]) {
    await expect(page.getByRole("heading", { level: 3, name })).toBeVisible();
  }
  await expect(page.getByText("1 in 3 youth in Singapore")).toBeVisible();
});

test("its ways to the companion and to the demonstration", async ({ page }) => {
  for (const name of ["Talk to Candle", "Try our Preview", "Try Candle"]) {
    await expect(page.getByRole("link", { name })).toHaveAttribute("href", "/candle");
  }
  await expect(page.getByRole("link", { name: "Try the demo" })).toHaveAttribute("href", "/demo");
  await page.getByRole("link", { name: "Try our Preview" }).click();
  await expect(page.getByRole("heading", { name: "Who would you like to talk to?" })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

test("documents that are not written yet say so", async ({ page }) => {
  for (const name of ["Privacy Policy", "Terms of Use"]) {
    const said = page.waitForEvent("dialog").then(async (dialog) => {
      await dialog.accept();
      return [dialog.type(), dialog.message()];
    });
    await page.getByRole("link", { name }).click();
    expect(await said).toEqual(["alert", "To be added!"]);
  }
  await expect(page).toHaveURL(/\/Companion$/);
});

test("the mailing list asks for a name and a well-formed address, sends nothing, and says thank you", async ({
  page,
}) => {
  const name = page.getByLabel("First name");
  const email = page.getByLabel("Email");
  const join = page.getByRole("button", { name: "Sign up" });
  const thanks = page.getByText("Thank you for joining our mailing list.");
  const why = (field: typeof name) =>
    field.evaluate((input: HTMLInputElement) => {
      const { valueMissing, typeMismatch, valid } = input.validity;
      return { valueMissing, typeMismatch, valid };
    });

  await join.click();
  expect(await why(name)).toMatchObject({ valueMissing: true });
  await name.fill("Mei");
  await join.click();
  expect(await why(email)).toMatchObject({ valueMissing: true });
  await email.fill("mei at home");
  await join.click();
  expect(await why(email)).toMatchObject({ typeMismatch: true });
  await expect(thanks).toBeHidden();

  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const logged = page.waitForEvent("console", (message) => message.type() === "log");
  await email.fill("mei@home.example");
  await join.click();
  await expect(thanks).toBeVisible();
  await expect(thanks).toBeFocused();
  await expect(name).toBeHidden();
  await expectAccessible(page);
  const [values] = (await logged).args();
  expect(await values?.jsonValue()).toEqual({ firstName: "Mei", email: "mei@home.example" });
  expect(requests).toEqual([]);
  expect(page.url()).toMatch(/\/Companion$/);
});

test("the creators can be written to, and feedback is one button away", async ({ page }) => {
  const profiles = page.getByRole("link", { name: /^Professional profile/ });
  await expect(profiles).toHaveCount(2);
  for (const profile of await profiles.all()) {
    await expect(profile).toHaveAttribute("target", "_blank");
    await expect(profile).toHaveAttribute("rel", /noopener/);
  }
  await expect(page.locator('a[href^="mailto:"]')).toHaveCount(2);
  const feedback = page.getByRole("link", { name: "Provide Feedback Here" });
  await expect(feedback).toHaveAttribute("href", "https://nightlight.example/feedback");
  await expect(feedback).toHaveAttribute("target", "_blank");
  await expect(feedback).toHaveAttribute("rel", /noopener/);
  await expect(page.getByText("Please be nice, this feedback is recorded")).toBeVisible();
});

test("its first screen leads to the preview, and its phone is a picture", async ({ page }) => {
  const way = page.getByRole("main").getByRole("link", { name: "Choose a voice" });
  const phone = page.getByRole("img", { name: /phone: a login button/ });
  await expect(phone.getByRole("button").or(phone.getByRole("link"))).toHaveCount(0);
  await expect(page.getByRole("figure")).toContainText("A picture of the app");
  for (const [width, height] of [
    [360, 740],
    [820, 1180],
    [1280, 800],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(way).toBeInViewport();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
  await way.click();
  await expect(page.getByRole("heading", { name: "Who would you like to talk to?" })).toBeVisible();
});

test("the study opens as every page outside does", async ({ page }) => {
  const study = page.getByRole("link", {
    name: "Youth Epidemiology and Resilience Study (opens in a new tab)",
  });
  await expect(study).toHaveAttribute("target", "_blank");
  await expect(study).toHaveAttribute("rel", /noopener/);
});
