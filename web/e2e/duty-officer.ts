/** Somebody at the desk, in a browser of their own: gets in by their invitation, goes on duty, and answers. */
import { type Browser, chromium, expect, type Locator, type Page } from "@playwright/test";
import { CHROMIUM } from "../playwright.config.ts";
import { codeOf } from "./authenticator.ts";
import { installProbe } from "./browser-probe.ts";
import type { RunningServer } from "./server.ts";
import { type CallerVoice, speech } from "./speech.ts";

export type DeskRole = "officer" | "supervisor" | "administrator" | "auditor";

const PASSWORD = "a lantern at 3 am";

export interface Invited {
  name: string;
  role: DeskRole;
  agencies?: string;
}

/** Opens the desk of a server: it is there from its first account on. */
export function openDesk(server: RunningServer): void {
  invite(server, { name: "Ada", role: "administrator" });
}

export function invite(server: RunningServer, { name, role, agencies }: Invited): string {
  const own = agencies ? ["--agencies", agencies] : [];
  const signInName = `${name.toLowerCase()}@line.example`;
  const told = server.command("desk", "add-officer", signInName, "--name", name, "--role", role, ...own);
  const link = told.match(/\S+\/desk#\S+/)?.[0];
  if (!link) throw new Error(`no link was printed: ${told}`);
  return link;
}

export class DutyOfficer {
  readonly page: Page;
  readonly name: string;
  readonly ringing: Locator;
  readonly line: Locator;
  readonly captions: Locator;
  readonly #browser: Browser;
  readonly #voice: CallerVoice;

  private constructor(browser: Browser, page: Page, name: string, voice: CallerVoice) {
    this.#browser = browser;
    this.#voice = voice;
    this.page = page;
    this.name = name;
    this.ringing = page.getByRole("region", { name: /A call is ringing/ });
    this.line = page.getByRole("region", { name: "Your line" });
    this.captions = page.getByRole("log", { name: "Captions" }).getByRole("listitem");
  }

  /** Is invited, sets up the account and signs in. */
  static async signedIn(
    server: RunningServer,
    invited: Invited,
    voice: CallerVoice = "rms",
  ): Promise<DutyOfficer> {
    const browser = await chromium.launch(CHROMIUM);
    return DutyOfficer.signedInOn(browser, await browser.newPage(), server, invited, voice);
  }

  /** The same, in this page. */
  static async signedInOn(
    browser: Browser,
    page: Page,
    server: RunningServer,
    invited: Invited,
    voice: CallerVoice = "rms",
  ): Promise<DutyOfficer> {
    const link = invite(server, invited);
    await page.addInitScript(installProbe, { scriptedMicrophone: true });
    await page.goto(link);
    await expect(page, "the token is not in the address any more").toHaveURL(`${server.url}/desk`);
    const secret =
      (await page
        .getByText(/type this secret/)
        .locator("code")
        .textContent()) ?? "";
    await page.getByLabel("Password").fill(PASSWORD);
    const recoveryCodes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");
    // The code before the one of now, which signs in later. On a busy machine its time may be over as it comes to be looked at.
    await expect(async () => {
      await page.getByLabel("Code").fill(codeOf(secret, -1));
      await page.getByRole("button", { name: "Set up my account" }).click();
      await expect(recoveryCodes).toHaveCount(10, { timeout: 5_000 });
    }).toPass({ timeout: 30_000 });
    await page.getByRole("button", { name: /I have kept them/ }).click();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByLabel("Code").fill(codeOf(secret));
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
    return new DutyOfficer(browser, page, invited.name, voice);
  }

  async goOnDuty(): Promise<void> {
    const onDuty = this.page.getByRole("switch", { name: "On duty" });
    await onDuty.click();
    await expect(onDuty).toBeChecked();
  }

  /** Takes the call that rings here. */
  async accept(): Promise<void> {
    await this.ringing.getByRole("button", { name: "Accept" }).click();
  }

  /** Does not hear the briefing to its end. */
  async putThrough(): Promise<void> {
    await this.line.getByRole("button", { name: "Put me through now" }).click();
    await this.#talks();
  }

  /** Takes the call that rings here and comes onto it, without a pointer: nothing else is pressed on the way. */
  async comeOnByKeys(): Promise<void> {
    await this.page.keyboard.press("a");
    const through = this.line.getByRole("button", { name: "Put me through now" });
    await expect(through).toBeVisible();
    await this.page.keyboard.press("Tab");
    await expect(through).toBeFocused();
    await this.page.keyboard.press("Enter");
    await this.#talks();
  }

  /** Asked whether to, one stands on the safe answer. */
  async endByKeys(): Promise<void> {
    await this.line.getByRole("button", { name: "End the call" }).press("Enter");
    await expect(this.line.getByRole("button", { name: "Go on talking" })).toBeFocused();
    await this.page.keyboard.press("Tab");
    await this.page.keyboard.press("Enter");
  }

  async say(words: string): Promise<void> {
    const wav = speech(words, this.#voice).toString("base64");
    await this.page.evaluate((sound) => window.probe.say(sound), wav);
  }

  receivedEnergy(): Promise<number> {
    return this.page.evaluate(() => window.probe.receivedEnergy());
  }

  /** Of what the desk itself sounds: its ring, its chime. */
  loudestPlayed(): Promise<number> {
    return this.page.evaluate(() => window.probe.loudestPlayed());
  }

  /** Chooses the only call there is. */
  async look(): Promise<void> {
    await this.page.getByRole("list", { name: "Live calls" }).getByRole("button").click();
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  async #talks(): Promise<void> {
    await expect(this.line.getByRole("status")).toContainText("You are talking with the caller");
  }
}
