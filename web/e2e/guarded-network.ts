/** A network of its own for a browser, behind a router that lets no UDP through: what many offices, schools and hotels have. */
import { execFileSync } from "node:child_process";
import { BrowserWithin, ip } from "./network-namespace.ts";

/** Set aside for trying networks out (RFC 2544): nothing else is there. */
const PREFIX = "198.18";

export class GuardedNetwork {
  /** Where this machine is reached from within. */
  readonly outside: string;
  readonly browser: BrowserWithin;
  readonly #names: readonly [router: string, within: string];

  constructor() {
    const id = `nl${process.pid}`;
    const net = process.pid % 256;
    const [router, within] = [`${id}r`, `${id}w`];
    this.#names = [router, within];
    this.outside = `${PREFIX}.${net}.1`;
    const [routerOut, routerIn, own] = [2, 5, 6].map((host) => `${PREFIX}.${net}.${host}`);
    ip(`netns add ${router}`);
    ip(`netns add ${within}`);
    ip(`link add ${id}o type veth peer name out netns ${router}`);
    ip(`-n ${router} link add in type veth peer name out netns ${within}`);
    ip(`addr add ${this.outside}/30 dev ${id}o`);
    ip(`-n ${router} addr add ${routerOut}/30 dev out`);
    ip(`-n ${router} addr add ${routerIn}/30 dev in`);
    ip(`-n ${within} addr add ${own}/30 dev out`);
    ip(`link set ${id}o up`);
    for (const device of ["out", "in"]) ip(`-n ${router} link set ${device} up`);
    for (const device of ["out", "lo"]) ip(`-n ${within} link set ${device} up`);
    ip(`-n ${router} route add default via ${this.outside}`);
    ip(`-n ${within} route add default via ${routerIn}`);
    ip(`route add ${PREFIX}.${net}.4/30 via ${routerOut}`);
    execFileSync("ip", ["netns", "exec", router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward"]);
    // Not refused: it is as if nothing had been sent, and nobody is told.
    ip(`-n ${router} rule add iif in ipproto udp blackhole`);
    this.browser = new BrowserWithin(within);
  }

  close(): void {
    for (const name of this.#names) ip(`netns del ${name}`);
    this.browser.remove();
  }
}
