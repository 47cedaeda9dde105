/** `/Demo` as a caller meets it: press, listen, answer, read the record. */
import { expect, type Locator, type Page } from "@playwright/test";
import { installProbe, type ProbeOptions } from "./browser-probe.ts";
import { type CallerVoice, speech } from "./speech.ts";

/** The call-info response, as far as the tests read it. */
export interface CallInfo {
  callId: string;
  endedReason: string | null;
  summary: string;
  summaryTitle: string;
  structuredData: {
    name: string;
    urgent: boolean;
    location: string;
    follow_up: string;
    abuse_type: string;
    transfer_to: string;
    transferred: boolean;
    latest_incident_date: string;
  };
  messages: { role: string; message: string; interrupted?: boolean }[];
}

/** What the caller answers to which question of the assistant. The first match counts. */
export type Answers = readonly (readonly [asked: RegExp, answer: string])[];

/** The call library of the hosted platform, as the page loads it: a file of ours. */
export const CALL_LIBRARY = /\/assets\/daily[^/]*\.js$/;

const TURN_WITHIN_MS = 40_000;
/** Speech of a few seconds leaves about 0.01; comfort noise and clicks stay far below. */
export const SPEECH_ENERGY = 0.002;

export class CallPage {
  readonly page: Page;
  readonly talk: Locator;
  readonly end: Locator;
  readonly speaking: Locator;
  readonly listening: Locator;
  readonly captions: Locator;
  readonly #url: string;
  #voice: CallerVoice;

  private constructor(page: Page, url: string, voice: CallerVoice) {
    this.page = page;
    this.#url = url;
    this.#voice = voice;
    this.talk = page.getByRole("button", { name: "Talk to Nightlight" });
    this.end = page.getByRole("button", { name: "End Call" });
    this.speaking = page.getByText("Assistant is speaking");
    this.listening = page.getByText("Assistant is listening");
    this.captions = page.getByRole("log", { name: "Live captions" }).getByRole("listitem");
  }

  static async open(
    page: Page,
    url: string,
    { voice = "slt", scriptedMicrophone = true }: { voice?: CallerVoice } & Partial<ProbeOptions> = {},
  ): Promise<CallPage> {
    await page.addInitScript(installProbe, { scriptedMicrophone });
    // Newest first: in its own order the history keeps older urgent calls above a call that ended well.
    await page.goto(`${url}/Demo?sort=-date`);
    await expect(page.getByRole("row")).toHaveCount(11);
    return new CallPage(page, url, voice);
  }

  async start(): Promise<void> {
    await this.talk.click();
    // Also on a busy machine, and when WebRTC has to give way to the socket first.
    await expect(this.end).toBeVisible({ timeout: 30_000 });
  }

  /** Waits until the assistant has said something and listens again; returns what it said last. */
  async hearTurn(): Promise<string> {
    await expect(this.speaking.or(this.talk)).toBeVisible({ timeout: TURN_WITHIN_MS });
    await expect(this.listening.or(this.talk)).toBeVisible({ timeout: TURN_WITHIN_MS });
    return this.lastWords();
  }

  /** Everything the assistant has said since the caller's last words. */
  async lastWords(): Promise<string> {
    const captions = await this.captions.evaluateAll((items) =>
      items
        .filter((item) => (item as HTMLElement).dataset.partial !== "true")
        .map((item) => [(item as HTMLElement).dataset.speaker, item.textContent] as const),
    );
    const since = captions.findLastIndex(([speaker]) => speaker === "caller") + 1;
    return captions
      .slice(since)
      .map(([, text]) => text)
      .join(" ");
  }

  async say(words: string): Promise<void> {
    const wav = speech(words, this.#voice).toString("base64");
    await this.page.evaluate((sound) => window.probe.say(sound), wav);
  }

  /** Answers the assistant's questions until the call ends, or this holds. A question nobody foresaw fails the test. */
  async converse(answers: Answers, isEnough = () => this.talk.isVisible()): Promise<void> {
    for (;;) {
      const heard = await this.hearTurn();
      if (await isEnough()) return;
      // Some turns ask nothing: a check-in, a hand-over, a word of comfort. Another turn or the end follows.
      const question = heard.match(/[^.?!]*\?(?=[^?]*$)/)?.[0];
      if (!question) continue;
      const answer = answers.find(([asked]) => asked.test(question))?.[1];
      if (!answer) throw new Error(`no answer was foreseen to: ${question}`);
      await this.say(answer);
    }
  }

  /** Tells of violence now, safe to talk, and answers whatever is asked until the police are brought in. */
  async tellOfViolenceNow(isEnough?: () => Promise<boolean>): Promise<void> {
    await this.say("My husband is hitting me right now. He has a knife.");
    const answers: Answers = [
      [/name/i, "My name is Mary Tan."],
      [/where|address/i, "Block ten, Orchard Road."],
      [/when/i, "It happened this morning."],
      [/happened/i, "He came home angry and he hit me in the kitchen."],
      [/talk|safe/i, "Yes, I can keep talking."],
    ];
    await this.converse(answers, isEnough);
  }

  /** The record of the latest call, once the server has finished it. */
  async finishedRecord(): Promise<CallInfo> {
    let info: CallInfo | undefined;
    await expect(async () => {
      const response = await this.page.request.get(`${this.#url}/api/getCallInfo`);
      expect(response.ok()).toBe(true);
      info = await response.json();
      expect(info?.endedReason).toBeTruthy();
    }).toPass({ timeout: 15_000 });
    if (!info) throw new Error("unreachable: the assertion above has passed");
    return info;
  }

  /** The history's first row, as it is sorted here. */
  get newestRow(): Locator {
    return this.page.getByRole("row").nth(1);
  }

  /** What has reached this browser so far; grows with all that is heard. */
  receivedEnergy(): Promise<number> {
    return this.page.evaluate(() => window.probe.receivedEnergy());
  }

  async expectHeardSpeech(): Promise<void> {
    expect(await this.receivedEnergy()).toBeGreaterThan(SPEECH_ENERGY);
  }
}
