/**
 * A network of its own for a browser, at the end of a link that loses, delays and is gone at times, whatever goes over it:
 * calls, pages, streams and sockets. `bad-link.py` carries its packets.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { BrowserWithin, whyNoNamespace } from "./network-namespace.ts";

export interface Trouble {
  /** Of a hundred packets, so many never arrive, each way. */
  lossPercent: number;
  /** Each way. */
  delayMs: number;
  /** Each packet takes up to so much longer, so that they overtake each other. */
  jitterMs: number;
}

/** Packets of one way, since the network last worsened. */
export interface Way {
  carried: number;
  /** By the seed. */
  lost: number;
  /** While the network was gone. */
  gone: number;
  /** There were too many on their way already. */
  crowded_out: number;
  carried_by: Partial<Record<"icmp" | "tcp" | "udp" | "other", number>>;
}

export interface Told {
  out: Way;
  in: Way;
}

const LINK = path.join(import.meta.dirname, "bad-link.py");
/** The other half of what is set aside for trying networks out (RFC 2544). */
const PREFIX = "198.19";

/** How many there have been in this process: no two have the same name. */
let made = 0;

export class BadNetwork {
  /** Where this machine is reached from within. */
  readonly outside: string;
  readonly namespace: string;
  readonly browser: BrowserWithin;
  readonly #link: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  private constructor(seed: number) {
    const net = (process.pid + made) % 256;
    this.namespace = `nl${process.pid}b${made++}`;
    this.outside = `${PREFIX}.${net}.1`;
    const words = [LINK, this.namespace, this.outside, `${PREFIX}.${net}.2`, String(seed)];
    this.#link = spawn("python3", ["-B", ...words], { stdio: ["pipe", "pipe", "inherit"] });
    this.#answers = createInterface({ input: this.#link.stdout })[Symbol.asyncIterator]();
    this.browser = new BrowserWithin(this.namespace);
  }

  /** What is missing for one here, or null. */
  static whyNot(): string | null {
    try {
      closeSync(openSync("/dev/net/tun", "r+"));
    } catch {
      return "a bad network is made of TUN devices: /dev/net/tun cannot be opened here";
    }
    return whyNoNamespace();
  }

  /** A good one, until it is told otherwise. The same seed loses the same: of each way the same first, second and n-th packets. */
  static async of(seed: number): Promise<BadNetwork> {
    const network = new BadNetwork(seed);
    await network.#answered();
    return network;
  }

  /** From now on it is as bad as this, and counts anew. */
  async worsens({ lossPercent, delayMs, jitterMs }: Trouble): Promise<void> {
    await this.#ask(`worsen ${lossPercent} ${delayMs} ${jitterMs}`);
  }

  /** Nothing gets through, either way, for so long. */
  async goneFor(ms: number): Promise<void> {
    await this.#ask(`gone ${ms}`);
  }

  async tells(): Promise<Told> {
    return (await this.#ask("tell")) as Told;
  }

  /** Whoever is still within has no network any more. */
  async close(): Promise<void> {
    this.browser.remove();
    if (this.#link.exitCode !== null || this.#link.signalCode !== null) return;
    this.#link.stdin.end();
    await once(this.#link, "exit");
  }

  async #ask(command: string): Promise<unknown> {
    this.#link.stdin.write(`${command}\n`);
    return await this.#answered();
  }

  async #answered(): Promise<unknown> {
    const { value, done } = await this.#answers.next();
    if (done) throw new Error("the bad link has ended by itself");
    const answer: { error?: string } = JSON.parse(value);
    if (answer.error) throw new Error(`the bad link understands ${answer.error}`);
    return answer;
  }
}
