/** The types of the API are those of the server's own description of it. */
import openapiTS, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { expect, it } from "vitest";
import document from "../../../crates/server/openapi.json";
import written from "./schema.d.ts?raw";

it("the generated types are those of the server's API description; run `npm run api` when they are not", async () => {
  const generated = await openapiTS(JSON.stringify(document));
  expect(written).toBe(COMMENT_HEADER + astToString(generated));
});
