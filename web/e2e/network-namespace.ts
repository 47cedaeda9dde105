/** The kernel's network namespaces: networks of their own for browsers. They take root; `whyNoNamespace` says where there are none. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, chromium } from "@playwright/test";
import { CHROMIUM } from "../playwright.config.ts";

/** What is missing for one here, or null. */
export function whyNoNamespace(): string | null {
  const probe = `nl${process.pid}p`;
  try {
    ip(`netns add ${probe}`);
    ip(`netns del ${probe}`);
    return null;
  } catch {
    return "network namespaces need root, with the right to administer networks, and `ip` of iproute2";
  }
}

export function ip(words: string): void {
  execFileSync("ip", words.split(" "), { stdio: ["ignore", "ignore", "pipe"] });
}

/** The tests' own Chromium, within a namespace. */
export class BrowserWithin {
  readonly #directory = mkdtempSync(path.join(tmpdir(), "nightlight-network-"));
  readonly #program = path.join(this.#directory, "browser");

  constructor(namespace: string) {
    const script = `#!/bin/sh\nexec ip netns exec ${namespace} ${CHROMIUM.executablePath} "$@"\n`;
    writeFileSync(this.#program, script, { mode: 0o755 });
  }

  /** For calls at this address: a page by plain HTTP has no microphone otherwise. */
  launch(url: string, args: string[] = []): Promise<Browser> {
    return chromium.launch({
      executablePath: this.#program,
      args: [...CHROMIUM.args, ...args, `--unsafely-treat-insecure-origin-as-secure=${url}`],
    });
  }

  remove(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
