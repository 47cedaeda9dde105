/** Which texts of a call are app messages, and what is read in them. */
import { expect, it } from "vitest";
import { agencyTransferredTo, isCallEnded, isTranscript, readMessage } from "./messages.ts";

it("the bare word listening begins the call", () => {
  expect(readMessage("listening")).toEqual({ kind: "listening" });
  expect(readMessage('"listening"')).toEqual({ kind: "listening" });
});

it("a JSON object with a type is a message, known or not", () => {
  expect(readMessage('{"type":"something-new","field":1}')).toEqual({
    kind: "message",
    message: { type: "something-new", field: 1 },
  });
});

it.each(["", "hello", "null", "[]", "42", "{}", '{"type":7}'])("%j is unreadable", (text) => {
  expect(readMessage(text)).toEqual({ kind: "unreadable" });
});

it("tells an ended call and a transcript from messages that look like them", () => {
  expect(isCallEnded({ type: "status-update", status: "ended" })).toBe(true);
  expect(isCallEnded({ type: "status-update", status: "in-progress" })).toBe(false);
  expect(isTranscript({ type: "transcript", role: "user", transcriptType: "final", transcript: "hi" })).toBe(
    true,
  );
  expect(
    isTranscript({ type: "transcript", role: "officer", transcriptType: "final", transcript: "hi" }),
  ).toBe(true);
  expect(isTranscript({ type: "transcript", role: "system", transcript: "hi" })).toBe(false);
});

it("reads which agency a transfer goes to, and takes nothing else for one", () => {
  const destination = { type: "assistant", assistantName: "Authorities", description: "SPF" };
  expect(agencyTransferredTo({ type: "transfer-update", destination })).toBe("SPF");
  for (const other of [null, "SPF", {}, { description: 999 }]) {
    expect(agencyTransferredTo({ type: "transfer-update", destination: other })).toBeNull();
  }
  expect(agencyTransferredTo({ type: "status-update", status: "ended", destination })).toBeNull();
});
