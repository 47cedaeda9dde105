/** A PostgreSQL server of a test's own: the one of the Rust tests, `crates/postgres-for-tests`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

const REPOSITORY = path.resolve(import.meta.dirname, "../..");
const BINARY = path.join(REPOSITORY, "target/debug/examples/held");

export interface RunningPostgres {
  /** Of an empty database on it. */
  url: string;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<RunningPostgres> {
  const server = spawn(BINARY, [], { stdio: ["pipe", "pipe", "inherit"] });
  const gone = once(server, "exit");
  const first = await Promise.race([once(createInterface(server.stdout), "line"), gone]);
  if (typeof first[0] !== "string") throw new Error("PostgreSQL did not start; see above");
  return {
    url: first[0],
    stop: async () => {
      server.stdin.end();
      await gone;
    },
  };
}
