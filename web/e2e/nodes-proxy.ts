/** Caddy before several nodes of this machine, by TLS, with `deploy/caddy/nodes.Caddyfile` as it is deployed. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { get } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Page } from "@playwright/test";
import { debianProgram } from "./debian-program.ts";
import { freePort } from "./server.ts";

const REPOSITORY = path.resolve(import.meta.dirname, "../..");
const DEPLOYED = path.join(REPOSITORY, "deploy/caddy/nodes.Caddyfile");
const READY_WITHIN_MS = 10_000;
/** Nothing but the one port, and no certificate of ours in the system's store. */
const OF_ONE_MACHINE = "admin off\nskip_install_trust\nauto_https disable_redirects\ndefault_bind 127.0.0.1";
/** By which the proxy knows again to which node a browser was led. */
const LED_TO = "nightlight-node";

export class NodesProxy {
  readonly url: string;
  /** Each node's address by its name. */
  readonly #nodes: ReadonlyMap<string, string>;
  readonly #directory: string;
  #caddy: ChildProcess | null = null;

  private constructor(url: string, nodes: ReadonlyMap<string, string>, directory: string) {
    this.url = url;
    this.#nodes = nodes;
    this.#directory = directory;
  }

  /** Says where the nodes of these names are to listen; they come first, and then it is started. */
  static async before(...names: string[]): Promise<NodesProxy> {
    const nodes = new Map<string, string>();
    for (const name of names) nodes.set(name, `127.0.0.1:${await freePort()}`);
    const directory = await mkdtemp(path.join(tmpdir(), "nightlight-proxy-"));
    return new NodesProxy(`https://127.0.0.1:${await freePort()}`, nodes, directory);
  }

  /** What a node of this name is started with: for `startServer`. */
  settingsOf(name: string): Record<string, string> {
    const port = this.#nodes.get(name)?.split(":")[1];
    if (!port) throw new Error(`the proxy leads to no node ${name}`);
    return { NODE_NAME: name, PORT: port, PUBLIC_ORIGIN: this.url, TRUSTED_PROXIES: "127.0.0.1,::1" };
  }

  async start(): Promise<void> {
    const file = path.join(this.#directory, "Caddyfile");
    await writeFile(file, this.#caddyfile());
    const program = debianProgram("caddy");
    const caddy = spawn(program, ["run", "--adapter", "caddyfile", "--config", file], {
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        SITE: this.url,
        // As in deploy/compose.nodes.yml.
        NODES: `to ${[...this.#nodes.values()].join(" ")}\nhealth_uri /health\nhealth_interval 2s`,
        TLS: "tls internal",
        ...(isOld(program) && { BUFFER: "buffer_requests" }),
        // Nothing of it stays.
        HOME: this.#directory,
        XDG_DATA_HOME: this.#directory,
        XDG_CONFIG_HOME: this.#directory,
      },
    });
    this.#caddy = caddy;
    let said = "";
    caddy.stderr.on("data", (words) => {
      said += words;
    });
    const until = Date.now() + READY_WITHIN_MS;
    while (Date.now() < until && caddy.exitCode === null) {
      if (await answers(`${this.url}/health`)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await this.stop();
    throw new Error(`Caddy did not lead to a node: \`scripts/setup test\` fetches it\n${said}`);
  }

  async stop(): Promise<void> {
    const caddy = this.#caddy;
    this.#caddy = null;
    if (caddy?.exitCode === null) {
      caddy.kill("SIGKILL");
      await once(caddy, "exit");
    }
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** The deployed file, with what one machine without a right of root's, and without a DNS of its own, needs. */
  #caddyfile(): string {
    let text = readFileSync(DEPLOYED, "utf8");
    const replace = (what: string, by: string) => {
      const [before, after, ...more] = text.split(what);
      if (after === undefined || more.length > 0)
        throw new Error(`${DEPLOYED} has not once, as the tests expect: ${what}`);
      text = before + by + after;
    };
    replace("{\n\tlog {", `{\n${OF_ONE_MACHINE}\n\tlog {`);
    const found = [...this.#nodes].map(([name, address]) => `${name} ${address}`).join("\n");
    replace(
      "reverse_proxy {re.node.1}{$WITHIN}:8080 {",
      `map {re.node.1} {node_address} {\n${found}\n}\nreverse_proxy {node_address} {`,
    );
    return text;
  }
}

/** Has this page, which has not been anywhere yet, led to another node than that one. */
export async function leadElsewhere(page: Page, proxy: NodesProxy, from: Page): Promise<void> {
  const nodeOf = async (at: Page) =>
    (await at.context().cookies(proxy.url)).find(({ name }) => name === LED_TO)?.value;
  const taken = await nodeOf(from);
  if (!taken) throw new Error(`the proxy gave no cookie ${LED_TO}`);
  for (let tries = 0; tries < 50; tries++) {
    await page.context().clearCookies();
    await page.request.get(`${proxy.url}/health`);
    const led = await nodeOf(page);
    if (led && led !== taken) return;
  }
  throw new Error("the proxy leads to one node alone");
}

/** Before 2.7, which has another word for keeping a body: see the head of the Caddyfile. */
function isOld(program: string): boolean {
  const version = execFileSync(program, ["version"], { encoding: "utf8" });
  const [major = 0, minor = 0] = version.match(/\d+/g)?.map(Number) ?? [];
  return major < 2 || (major === 2 && minor < 7);
}

function answers(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get(url, { rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on("error", () => resolve(false));
  });
}
