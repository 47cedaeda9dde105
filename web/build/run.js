/** Runs a TypeScript tool under Node.js 20, which reads only JavaScript: `node build/run.js pictures/take.ts`. */
import { runnerImport } from "vite";

const [tool] = process.argv.slice(2);
if (!tool) throw new Error("name the tool to run");
await runnerImport(`./${tool}`, { configFile: false, logLevel: "warn" });
