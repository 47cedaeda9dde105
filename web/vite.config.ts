/** Build, development server and unit tests of the web app. */
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const server = process.env.NIGHTLIGHT_URL ?? "http://127.0.0.1:8080";

export default defineConfig({
  plugins: [react(), tailwindcss()],
  server: {
    // `ws` because a call's raw-PCM socket lives under /call too. The host header is left as it
    // is, so that the call URLs the server hands out lead back through this proxy.
    proxy: Object.fromEntries(
      ["/api", "/call", "/health", "/openapi.json"].map((path) => [path, { target: server, ws: true }]),
    ),
  },
  build: { target: "es2023", sourcemap: true },
  test: {
    environment: "jsdom",
    globals: true,
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    restoreMocks: true,
  },
});
