/** The demonstration's own words: the way in and out, the table, the call log. Calls are in other files. */
import { expectAccessible } from "./accessible.ts";
import { expect, test } from "./fixtures.ts";

for (const width of [1280, 360]) {
  test(`its first view is there before the script, and stays where it was, ${width} pixels wide`, async ({
    page,
    server,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    await page.route("**/assets/*.js", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${server.url}/Demo`, { waitUntil: "commit" });
    const talk = page.getByRole("button", { name: "Talk to Nightlight" });
    const parts = [
      page.getByRole("heading", { level: 1, name: "A light is on for you" }),
      page.getByText(/^Click the talk button to start the demonstration/),
      talk,
      page.getByText(
        "Nightlight is an AI, not a person. What you say is kept in writing for up to 30 days after it ends, longer only if the team must keep it for a stated reason, and the duty team can read it, and may listen or read along. Sound is not kept. In an emergency ring 999.",
      ),
    ];
    const places = () => Promise.all(parts.map((part) => part.boundingBox()));
    await expect(talk).toBeDisabled();
    await page.evaluate(() => document.fonts.ready);
    await expectAccessible(page);
    const before = await places();
    letThrough();
    await expect(talk).toBeEnabled();
    expect(await places()).toEqual(before);
  });
}

test("it invites to a call, and leads back, out, and to the feedback form", async ({ page, server }) => {
  await page.goto(`${server.url}/Demo`);
  await expect(page.getByText(/click the talk button to start the demonstration/i)).toBeVisible();
  for (const [name, href] of [
    [/^Provide Feedback Here/, "https://nightlight.example/feedback"],
    [/^Vapi’s voice platform/, "https://vapi.ai"],
  ] as const) {
    const link = page.getByRole("main").getByRole("link", { name });
    await expect(link).toHaveAttribute("href", href);
    await expect(link).toHaveAttribute("target", "_blank");
    await expect(link).toHaveAttribute("rel", /noopener/);
  }
  await expect(page.getByText(/^Built with/)).toBeVisible();
  await page.getByRole("banner").getByRole("link", { name: "Nightlight" }).click();
  await expect(page).toHaveURL(`${server.url}/`);
});

test("the table has the specification's columns, and says of a record what they ask", async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/Demo`);
  await expect(page.getByRole("columnheader")).toHaveText([
    "ID",
    "Call ID",
    "Call Status",
    "Created Date",
    "Duration",
    "Urgent Status",
    "Transfer To",
    "Transfer Status",
    "Short Description",
    "Details",
  ]);
  await expect(page.getByRole("row").nth(4).getByRole("cell")).toHaveText([
    "1",
    /^[0-9a-f]{8}…$/,
    "Completed",
    "3/10/26 (11:41 PM)",
    "0h 01m 44s",
    "Urgent",
    "SPF",
    "Transferred",
    /^Caller hiding from her violent…$/,
    /^Expand View/,
  ]);
});

test("the call log of an urgent case", async ({ page, server }) => {
  await page.goto(`${server.url}/Demo`);
  await page.getByRole("button", { name: "Expand View of case 1", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Call Log" });
  await expect(
    panel.getByText(
      "Heads up! This caller has been flagged as an urgent case and requires active follow-up.",
    ),
  ).toBeVisible();
  await expect(panel.getByRole("term")).toHaveText([
    "CALL ID",
    "CALL STARTED AT",
    "CALL DURATION",
    "TYPE OF ABUSE",
    "URGENT STATUS",
    "TRANSFER TO",
    "TRANSFER STATUS",
    "CALLER NAME",
    "CALLER LOCATION",
    "LATEST INCIDENT",
  ]);
  await expect(panel.getByRole("heading", { name: "Transcript Summary" })).toBeVisible();
  await expect(panel.getByRole("heading", { name: "Recommended Follow-up" })).toBeVisible();
  await expect(panel.getByRole("button", { name: "Summary", pressed: true })).toBeVisible();
  await panel.getByRole("button", { name: "Close the call log" }).click();
  await expect(panel).toBeHidden();
});

test("a record without messages shows a sample conversation, and says that it is one", async ({
  page,
  server,
}) => {
  await page.route("**/api/calls", (route) =>
    route.fulfill({ json: [{ id: 1, callId: "quiet", messages: [], summary: null }] }),
  );
  await page.goto(`${server.url}/Demo?record=1`);
  const panel = page.getByRole("dialog", { name: "Call Log" });
  await expect(panel.getByText("No summary provided").first()).toBeVisible();
  await panel.getByRole("button", { name: "Transcript" }).click();
  await expect(panel.getByText("Here is a sample conversation instead")).toBeVisible();
  await expect(panel.getByText("Caller", { exact: true }).first()).toBeVisible();
});
