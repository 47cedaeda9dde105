/** Set-up of every unit test: the DOM matchers, and a clean page after each test. */
import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(() => {
  cleanup();
  // Tests of the tools run without a page.
  globalThis.localStorage?.clear();
});
