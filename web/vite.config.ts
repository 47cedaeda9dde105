/** Build, development server and unit tests of the web app. */
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { leanImports } from "./build/lean-imports.ts";
import { measured } from "./build/measured.ts";
import { prerender } from "./build/prerender.ts";

const server = process.env.NIGHTLIGHT_URL ?? "http://127.0.0.1:8080";

// React Router's package leads bundlers to its development build, warnings included.
const reactRouter = fileURLToPath(
  new URL("dist/production/index.mjs", import.meta.resolve("react-router/package.json")),
);

/** Tests that are given a DOM, which is made anew for each file. All others have none. */
const IN_A_PAGE = [
  "src/**/*.test.tsx",
  "src/api/{client,leaving}.test.ts",
  "src/desk/{back-from-provider,case-words,desk-address,desk-state,desk-words,officer-line}.test.ts",
  "src/desk/{use-*,watch-*}.test.ts",
  "src/faults/*.test.ts",
  "src/records/records.test.ts",
  "src/voice/{microphone,voice-client}.test.ts",
  "src/voice/hosted/*.test.ts",
];

export default defineConfig(({ command, isSsrBuild }) => ({
  plugins: [react(), tailwindcss(), leanImports(), measured(), prerender()],
  server: {
    // `ws` because a call's raw-PCM socket lives under /call too. The host header is left as it
    // is, so that the call URLs the server hands out lead back through this proxy.
    proxy: Object.fromEntries(
      ["/api", "/call", "/chat", "/health", "/leave", "/node", "/openapi.json"].map((path) => [
        path,
        { target: server, ws: true },
      ]),
    ),
  },
  resolve: {
    alias: command === "build" && !isSsrBuild ? [{ find: /^react-router$/, replacement: reactRouter }] : [],
  },
  build: {
    target: "es2023",
    sourcemap: true,
    // Pictures stay files of their own: as data in the script they would cost every visitor twice.
    assetsInlineLimit: 0,
    // One stylesheet, which every page names: see lean-imports.ts.
    cssCodeSplit: false,
    // The prerendered pages name what they need themselves.
    modulePreload: false,
  },
  test: {
    globals: true,
    restoreMocks: true,
    // By itself it leaves one core to others, which of two is half: nothing else runs beside these tests.
    maxWorkers: "100%",
    // For whole pages in a DOM made of JavaScript, on a machine whose every core is taken.
    testTimeout: 15_000,
    projects: [
      {
        extends: true as const,
        test: {
          name: "plain",
          environment: "node",
          // They leave nothing behind that another could meet, so one process does for many.
          isolate: false,
          include: ["{src,build,audit,sample-call,stutter}/**/*.test.ts"],
          exclude: IN_A_PAGE,
        },
      },
      {
        extends: true as const,
        test: {
          name: "page",
          environment: "jsdom",
          include: IN_A_PAGE,
          setupFiles: ["src/test-setup.ts"],
        },
      },
    ],
  },
}));
