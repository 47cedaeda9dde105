/** A relay for the tests: coturn as `deploy/coturn` sets it, at an address of this machine, reached by TCP. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import path from "node:path";
import { freePort } from "./server.ts";

const REPOSITORY = path.resolve(import.meta.dirname, "../..");
const READY_WITHIN_MS = 10_000;

export interface RunningRelay {
  /** For the setting `turn_urls`. */
  url: string;
  stop(): Promise<void>;
}

/** Passes on to `address` alone, and lets in who has a password made with `secret`. */
export async function startRelay(address: string, secret: string): Promise<RunningRelay> {
  const port = await freePort();
  const relay = spawn(
    program(),
    [
      ["-c", path.join(REPOSITORY, "deploy/coturn/turnserver.conf")],
      ["--no-tls", "--no-dtls", "--pidfile="],
      [`--listening-ip=${address}`, `--listening-port=${port}`, `--relay-ip=${address}`],
      [`--allowed-peer-ip=${address}`, `--static-auth-secret=${secret}`],
    ].flat(),
    { stdio: "ignore" },
  );
  await listens(relay, address, Number(port));
  return {
    url: `turn:${address}:${port}?transport=tcp`,
    stop: async () => {
      if (relay.exitCode !== null) return;
      relay.kill("SIGKILL");
      await once(relay, "exit");
    },
  };
}

/** Debian's, installed or as `make setup` has taken it out of its package. */
function program(): string {
  try {
    return execFileSync("sh", ["-c", "command -v turnserver"], { encoding: "utf8" }).trim();
  } catch {
    return path.join(REPOSITORY, "var/tools/turnserver");
  }
}

async function listens(relay: ChildProcess, host: string, port: number): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until && relay.exitCode === null) {
    const socket = connect({ host, port });
    const open = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "close").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  relay.kill("SIGKILL");
  throw new Error("coturn did not start: `scripts/setup test` fetches it");
}
