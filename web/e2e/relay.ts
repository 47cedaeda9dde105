/** A relay for the tests: coturn as `deploy/coturn` sets it, at an address of this machine, reached by TLS. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { debianProgram } from "./debian-program.ts";
import { freePort } from "./server.ts";

const REPOSITORY = path.resolve(import.meta.dirname, "../..");
const READY_WITHIN_MS = 10_000;

export interface RunningRelay {
  /** For the setting `turn_urls`. */
  url: string;
  /** For a browser's command line: nobody has signed the relay's certificate, and WebRTC looks whether it is to be trusted. */
  trust: string;
  stop(): Promise<void>;
}

/** Passes on to `address` alone, and lets in who has a password made with `secret`. */
export async function startRelay(address: string, secret: string): Promise<RunningRelay> {
  const [port, tlsPort] = [await freePort(), await freePort()];
  const directory = mkdtempSync(path.join(tmpdir(), "nightlight-relay-"));
  const { cert, pkey } = certificate(directory);
  const relay = spawn(
    debianProgram("turnserver"),
    [
      ["-c", path.join(REPOSITORY, "deploy/coturn/turnserver.conf")],
      ["--no-dtls", "--pidfile=", `--cert=${cert}`, `--pkey=${pkey}`],
      [`--listening-ip=${address}`, `--listening-port=${port}`, `--tls-listening-port=${tlsPort}`],
      [`--relay-ip=${address}`],
      [`--allowed-peer-ip=${address}`, `--static-auth-secret=${secret}`],
    ].flat(),
    { stdio: "ignore" },
  );
  const stop = async () => {
    if (relay.exitCode === null && relay.signalCode === null) {
      relay.kill("SIGKILL");
      await once(relay, "exit");
    }
    rmSync(directory, { recursive: true, force: true });
  };
  if (!(await listens(relay, address, Number(tlsPort)))) {
    await stop();
    throw new Error("coturn did not start: `scripts/setup test` fetches it");
  }
  return {
    url: `turns:${address}:${tlsPort}?transport=tcp`,
    trust: `--ignore-certificate-errors-spki-list=${hashOfTheKey(cert)}`,
    stop,
  };
}

function certificate(directory: string): { cert: string; pkey: string } {
  const [cert, pkey] = [path.join(directory, "cert.pem"), path.join(directory, "pkey.pem")];
  const made =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=relay.example";
  execFileSync("openssl", [...made.split(" "), "-keyout", pkey, "-out", cert], { stdio: "ignore" });
  return { cert, pkey };
}

function hashOfTheKey(cert: string): string {
  const { publicKey } = new X509Certificate(readFileSync(cert));
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");
}

async function listens(relay: ChildProcess, host: string, port: number): Promise<boolean> {
  const until = Date.now() + READY_WITHIN_MS;
  while (Date.now() < until && relay.exitCode === null) {
    const socket = connect({ host, port });
    const open = await Promise.race([
      once(socket, "connect").then(() => true),
      once(socket, "close").then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}
