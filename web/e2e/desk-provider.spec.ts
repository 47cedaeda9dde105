/** Officers who sign in by their organisation's identity provider, and what a forger of its word gets. */
import { expectAccessible } from "./accessible.ts";
import { invite, openDesk } from "./duty-officer.ts";
import { test as base, expect } from "./fixtures.ts";
import {
  CLIENT,
  type IdentityProvider,
  type PlayedProvider,
  playProvider,
  startProvider,
} from "./identity-provider.ts";
import { freePort, type RunningServer, startServer } from "./server.ts";

const PEOPLE = {
  mei: { email: "mei@line.example" },
  eve: { email: "eve@line.example" },
  unverified: { email: "mei@line.example", verified: false },
};

async function startDesk(port: string, issuer: string): Promise<RunningServer> {
  const server = await startServer({
    PORT: port,
    VOICE: "slt",
    PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: "Line Example",
  });
  openDesk(server);
  invite(server, { name: "Mei", role: "officer", agencies: "SPF,SOS" });
  return server;
}

const test = base.extend<{
  desk: RunningServer;
  provider: IdentityProvider;
  port: string;
  played: PlayedProvider;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  port: async ({}, use) => use(await freePort()),
  provider: async ({ port }, use) => {
    const provider = await startProvider(`http://127.0.0.1:${port}/api/desk/provider/callback`, PEOPLE);
    await use(provider);
    await provider.stop();
  },
  desk: async ({ port, provider }, use) => {
    const server = await startDesk(port, provider.issuer);
    await use(server);
    await server.stop();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  played: async ({}, use) => {
    const played = await playProvider();
    await use(played);
    await played.stop();
  },
});

test("an officer who was invited signs in by the provider, without a password of ours, and out again", async ({
  page,
  desk,
  provider,
}) => {
  await page.goto(`${desk.url}/desk`);
  const byProvider = page.getByRole("button", { name: "Sign in with Line Example" });
  await expect(byProvider).toBeVisible();
  await expectAccessible(page);
  await byProvider.click();
  await expect(page).toHaveURL(new RegExp(`^${provider.issuer}/`));
  await page.getByPlaceholder("Enter any login").fill("mei");
  await page.getByPlaceholder("and password").fill("theirs");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(page).toHaveURL(`${desk.url}/desk`);
  await expect(page.getByText("Mei", { exact: true })).toBeVisible();
  await page.getByRole("switch", { name: "On duty" }).click();
  await expect(page.getByRole("switch", { name: "On duty" })).toBeChecked();
  const cookies = await page.context().cookies(`${desk.url}/api/desk/provider`);
  const kept = cookies.map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }));
  expect(kept).toContainEqual({ name: "nightlight-desk", httpOnly: true, sameSite: "Strict" });
  expect(kept.map(({ name }) => name)).not.toContain("nightlight-desk-provider");
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByText("You are signed out.")).toBeVisible();
});

for (const [login, who] of [
  ["eve", "whom nobody invited"],
  ["unverified", "whose address the provider has not verified"],
] as const) {
  test(`somebody ${who} is let in there and not here`, async ({ page, desk }) => {
    await page.goto(`${desk.url}/desk`);
    await page.getByRole("button", { name: "Sign in with Line Example" }).click();
    await page.getByPlaceholder("Enter any login").fill(login);
    await page.getByPlaceholder("and password").fill("theirs");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByText("You were not let in.")).toBeVisible();
    await expect(page, "a page that is loaded again begins anew").toHaveURL(`${desk.url}/desk`);
    await expect(page.getByRole("button", { name: "Sign in with Line Example" })).toBeVisible();
  });
}

test("the password goes on beside a provider that does not answer", async ({
  page,
  port,
  desk,
  provider,
}) => {
  await provider.stop();
  await page.goto(`${desk.url}/desk`);
  expect(desk.url).toContain(port);
  await page.getByRole("button", { name: "Sign in with Line Example" }).click();
  await expect(page.getByRole("alert")).toContainText("does not answer");
  await expect(page.getByLabel("Password")).toBeEditable();
});

/** A browser without its pages: goes to the provider, and comes back. */
class Browser {
  readonly #desk: string;
  cookie = "";
  state = "";
  nonce = "";

  constructor(desk: string) {
    this.#desk = desk;
  }

  async sent(): Promise<void> {
    const answer = await fetch(`${this.#desk}/api/desk/provider`, { method: "POST" });
    expect(answer.status).toBe(200);
    const { location } = (await answer.json()) as { location: string };
    const asked = new URL(location).searchParams;
    expect(asked.get("code_challenge_method")).toBe("S256");
    this.state = asked.get("state") ?? "";
    this.nonce = asked.get("nonce") ?? "";
    this.cookie = answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; ");
  }

  /** Where it is led to from there, and whether with a session. */
  async back(state = this.state): Promise<{ to: string | null; signedIn: boolean }> {
    const address = `${this.#desk}/api/desk/provider/callback?code=a-code&state=${state}`;
    const answer = await fetch(address, { redirect: "manual", headers: { Cookie: this.cookie } });
    expect(answer.status).toBe(303);
    const signedIn = answer.headers.getSetCookie().some((cookie) => /^nightlight-desk=[^;]/.test(cookie));
    return { to: answer.headers.get("Location"), signedIn };
  }
}

test("a word of the provider's that does not hold lets nobody in", async ({ port, played }) => {
  const desk = await startDesk(port, played.issuer);
  try {
    const HOUR = 3600;
    const now = Math.floor(Date.now() / 1000);
    const forged = [
      { claims: { nonce: "of another time" } },
      { claims: { nonce: undefined } },
      { claims: { aud: "another client" } },
      { claims: { iss: "https://id.elsewhere.example" } },
      { claims: { exp: now - HOUR, iat: now - 2 * HOUR } },
      { claims: { sub: undefined } },
      { signedBy: "stranger" },
      { signedBy: "nobody", header: { alg: "none" } },
      { signedBy: "client-secret", header: { alg: "HS256", kid: undefined } },
      { claims: { email_verified: false } },
      { claims: { email: "nobody@line.example" } },
    ] as const;
    for (const word of forged) {
      const browser = new Browser(desk.url);
      await browser.sent();
      played.says(browser.nonce, word);
      expect(await browser.back(), JSON.stringify(word)).toEqual({
        to: "/desk?provider=refused",
        signedIn: false,
      });
    }

    const honest = new Browser(desk.url);
    await honest.sent();
    played.says(honest.nonce);
    expect(await honest.back("another-state")).toEqual({ to: "/desk?provider=again", signedIn: false });
    expect(await honest.back(), "it was the words alone").toEqual({ to: "/desk", signedIn: true });

    const lured = new Browser(desk.url);
    await lured.sent();
    played.says(lured.nonce);
    lured.cookie = "";
    expect(await lured.back(), "another browser's answer").toEqual({
      to: "/desk?provider=again",
      signedIn: false,
    });
  } finally {
    await desk.stop();
  }
});
