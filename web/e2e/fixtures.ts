/** The tests' own fixtures: one server for a worker's calls, stopped after them. */
import { test as base } from "@playwright/test";
import { type RunningServer, startServer } from "./server.ts";

/** What a project of `playwright.config.ts` says of its tests. */
export interface OfAProject {
  /** Of their shared server, as `startServer` takes them. */
  settings: Record<string, string>;
}

export const test = base.extend<{ baseURL: string }, OfAProject & { server: RunningServer }>({
  settings: [{}, { option: true, scope: "worker" }],
  server: [
    async ({ settings }, use) => {
      const server = await startServer(settings);
      await use(server);
      await server.stop();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server.url),
});

export { expect } from "@playwright/test";
