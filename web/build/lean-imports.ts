/**
 * Pages are loaded by the browser's own `import()`. Vite would wrap it in a helper that fetches what a chunk
 * needs beside it; here that is one stylesheet, which every page has, and the prerendered pages name their
 * own script. The helper would be sent to every visitor for nothing.
 */
import type { Plugin } from "vite";

const HELPER = "\0vite/preload-helper.js";

export function leanImports(): Plugin {
  return {
    name: "nightlight-lean-imports",
    enforce: "pre",
    apply: "build",
    resolveId: (id) => (id === HELPER ? id : null),
    load: (id) => (id === HELPER ? "export const __vitePreload = (load) => load();" : null),
  };
}
