/** Exit this page during a call. In a file of its own, because a page is left once. */
import { act } from "@testing-library/react";
import { expect, it } from "vitest";
import { fallSilent } from "../../call/leaving.ts";
import { callUnderWay, server, URGENT, withTestServer } from "./testing/shown-page.tsx";

withTestServer();

it("ends the call at once, and stores nothing afterwards", async () => {
  const call = await callUnderWay();
  localStorage.clear();
  await act(async () => fallSilent());
  expect(call.first.abandoned).toBe(true);
  expect(call.microphone.closed).toBe(true);
  await act(async () => server.push({ ...URGENT, id: 12, callId: "call-1" }));
  expect(localStorage.getItem("call-records")).toBeNull();
});
