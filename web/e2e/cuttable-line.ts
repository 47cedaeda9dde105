/** A line to a server's media port that can be cut while its page goes on: a page's own network takes both, see `bad-network.ts`. */
import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { networkInterfaces } from "node:os";
import type { Page } from "@playwright/test";

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
export class CuttableLine {
  readonly #outside: Socket;
  readonly #inside = new Map<string, Socket>();
  readonly #server: Server;
  #isCut = false;
  /** Packets that were let through, either way. */
  carried = 0;

  private constructor(outside: Socket, server: Server) {
    this.#outside = outside;
    this.#server = server;
    outside.on("message", (packet, from) => this.#comesIn(packet, from));
  }

  static async before(server: Server): Promise<CuttableLine> {
    const outside = createSocket("udp4");
    outside.bind(0, server.address);
    await once(outside, "listening");
    return new CuttableLine(outside, server);
  }

  /** The page's lines to calls go over it: each answer of the server names its port for the server's. */
  async carriesLinesOf(page: Page, offeredTo: string): Promise<void> {
    const { port } = this.#outside.address();
    await page.route(offeredTo, async (route) => {
      const response = await route.fetch();
      const answer = await response.text();
      const body = answer.replaceAll(/(a=candidate:\S+ \d+ udp \d+ \S+) \d+ /gi, `$1 ${port} `);
      await route.fulfill({ response, body });
    });
  }

  /** Nothing gets through any more, either way. */
  cut(): void {
    this.#isCut = true;
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
    if (this.#isCut) return;
    this.carried++;
    send();
  }
}
