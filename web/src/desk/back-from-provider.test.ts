/** What the sign-in says to somebody whom the identity provider has sent back. */
import { expect, it } from "vitest";
import { backFromProvider } from "./back-from-provider.ts";

it("says why somebody was not let in, and nothing else that an address may hold", () => {
  expect(backFromProvider("?provider=refused")).toMatch(/You were not let in/);
  expect(backFromProvider("?provider=again")).toMatch(/Try again/);
  for (const search of ["", "?provider=", "?provider=<b>ring%20this%20number</b>", "?other=refused"])
    expect(backFromProvider(search)).toBeNull();
});
