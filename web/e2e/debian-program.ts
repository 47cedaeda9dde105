/** Where a program of Debian's is that the tests run: installed, or as `make setup` has taken it out of its package. */
import { execFileSync } from "node:child_process";
import path from "node:path";

const TAKEN_OUT = path.resolve(import.meta.dirname, "../../var/tools");

export function debianProgram(name: string): string {
  try {
    return execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
  } catch {
    return path.join(TAKEN_OUT, name);
  }
}
