/** Set-up of every unit test that has a page: the DOM matchers, and a clean page after each test. */
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";

// How long what is waited for may take before a test has failed. A second is little where every core is taken.
configure({ asyncUtilTimeout: 5_000 });

afterEach(() => {
  cleanup();
  localStorage.clear();
});
