/** A network between a browser and a server's media port that loses, delays and is gone at times. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import type { Page } from "@playwright/test";

export interface Trouble {
  /** Of a hundred packets, so many never arrive. */
  lossPercent: number;
  delayMs: number;
  /** Each packet takes up to so much longer, so that they overtake each other. */
  jitterMs: number;
}

interface Server {
  address: string;
  port: number;
}

/** An address of this machine that a browser takes for a network's; it tries none that lead back to itself. */
export function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const found = all.find(({ family, internal }) => family === "IPv4" && !internal);
  if (!found) throw new Error("this machine has no network address: a browser's call needs one");
  return found.address;
}

/** Stands at the server's own address, on another port. */
export class BadNetwork {
  readonly #outside: Socket;
  readonly #inside = new Map<string, Socket>();
  readonly #server: Server;
  #trouble: Trouble = { lossPercent: 0, delayMs: 0, jitterMs: 0 };
  #goneUntil = 0;
  /** Packets that were let through, either way. */
  carried = 0;
  lost = 0;

  private constructor(outside: Socket, server: Server) {
    this.#outside = outside;
    this.#server = server;
    outside.on("message", (packet, from) => this.#comesIn(packet, from));
  }

  /** A good one, until it is told otherwise. */
  static async before(server: Server): Promise<BadNetwork> {
    const outside = createSocket("udp4");
    outside.bind(0, server.address);
    await once(outside, "listening");
    return new BadNetwork(outside, server);
  }

  /** The page's calls go over it, or its lines to calls: each answer of the server names its port for the server's. */
  async carriesCallsOf(page: Page, offeredTo = "**/whip"): Promise<void> {
    const { port } = this.#outside.address();
    await page.route(offeredTo, async (route) => {
      const response = await route.fetch();
      const answer = await response.text();
      const body = answer.replaceAll(/(a=candidate:\S+ \d+ udp \d+ \S+) \d+ /gi, `$1 ${port} `);
      await route.fulfill({ response, body });
    });
  }

  /** From now on it is as bad as this. */
  worsens(trouble: Trouble): void {
    this.#trouble = trouble;
    this.carried = 0;
    this.lost = 0;
  }

  /** Nothing gets through, either way, for so long. */
  goneFor(ms: number): void {
    this.#goneUntil = performance.now() + ms;
  }

  close(): void {
    this.#outside.close();
    for (const socket of this.#inside.values()) socket.close();
    this.#inside.clear();
  }

  #comesIn(packet: Buffer, from: RemoteInfo): void {
    const who = `${from.address}:${from.port}`;
    let socket = this.#inside.get(who);
    if (!socket) {
      socket = createSocket("udp4");
      socket.on("message", (answer) =>
        this.#carry(() => this.#outside.send(answer, from.port, from.address)),
      );
      this.#inside.set(who, socket);
    }
    const { port, address } = this.#server;
    const way = socket;
    this.#carry(() => way.send(packet, port, address));
  }

  #carry(send: () => void): void {
    const { lossPercent, delayMs, jitterMs } = this.#trouble;
    if (performance.now() < this.#goneUntil || Math.random() * 100 < lossPercent) {
      this.lost++;
      return;
    }
    this.carried++;
    setTimeout(
      () => {
        try {
          send();
        } catch {
          // Closed meanwhile.
        }
      },
      delayMs + Math.random() * jitterMs,
    );
  }
}
