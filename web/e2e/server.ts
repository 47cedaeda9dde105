/** Starts the server's own binary for the tests, with a fresh database and free ports. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const REPOSITORY = path.resolve(import.meta.dirname, "../..");
const BINARY = process.env.NIGHTLIGHT_BIN ?? path.join(REPOSITORY, "target/debug/nightlight");
const READY_WITHIN_MS = 30_000;

export interface RunningServer {
  url: string;
  /** Ends it at once, as a crash would. */
  kill(): void;
  /** It stands still: its ports stay open, and nothing answers. */
  holdUp(): void;
  /** Runs another command of the program with the same settings; gives what it prints. */
  command(...words: string[]): string;
  /** In the same place, at the same address. */
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

/** `settings` are the server's own, as environment variables without their prefix; PORT is the one to listen at. */
export async function startServer(settings: Record<string, string> = {}): Promise<RunningServer> {
  const directory = await mkdtemp(path.join(tmpdir(), "nightlight-e2e-"));
  const { PORT: asked, ...given } = settings;
  const port = asked ?? process.env.NIGHTLIGHT_E2E_PORT ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const environment: Record<string, string> = {
    LISTEN: `127.0.0.1:${port}`,
    DATABASE: `sqlite:${path.join(directory, "records.db")}`,
    WEB_DIR: path.join(REPOSITORY, "web/dist"),
    // Shorter than the helpline's own 3 s, which the floor's tests hold in virtual time.
    START_WAIT_SECONDS: "1",
    LOG: "warn",
    ...given,
  };
  const env = {
    ...process.env,
    ...Object.fromEntries(Object.entries(environment).map(([key, value]) => [`NIGHTLIGHT_${key}`, value])),
  };
  let server: ChildProcess;
  let gone: Promise<void>;
  let ended = false;
  const kill = () => {
    ended = true;
    server.kill("SIGKILL");
  };
  const holdUp = () => void server.kill("SIGSTOP");
  const start = async () => {
    ended = false;
    server = spawn(BINARY, ["serve"], {
      cwd: REPOSITORY,
      stdio: ["ignore", "inherit", "inherit"],
      env,
    });
    gone = once(server, "exit").then(([code, signal]) => {
      if (!ended) console.warn(`the server ended by itself (${signal ?? code})`);
    });
    try {
      await ready(url, server);
    } catch (error) {
      kill();
      throw error;
    }
  };
  await start();
  return {
    url,
    kill,
    holdUp,
    command: (...words) => execFileSync(BINARY, words, { cwd: REPOSITORY, env, encoding: "utf8" }),
    startAgain: async () => {
      await gone;
      await start();
    },
    stop: async () => {
      if (server.exitCode === null && server.signalCode === null) {
        kill();
        await gone;
      }
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  let failed: Error | null = null;
  server.once("error", (error) => {
    failed = error;
  });
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until) {
    if (failed)
      throw new Error(`${BINARY} cannot be started; build it, or set NIGHTLIGHT_BIN`, { cause: failed });
    if (server.exitCode !== null)
      throw new Error(`the server ended with ${server.exitCode} instead of serving`);
    const healthy = await fetch(new URL("/health", url)).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the server was not ready within ${READY_WITHIN_MS} ms`);
}

export async function freePort(): Promise<string> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free port was found");
  return String(address.port);
}
