import { expect, it } from "vitest";
import { isCallEnded, isTranscript, readMessage } from "./messages.ts";

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
  expect(isTranscript({ type: "transcript", role: "system", transcript: "hi" })).toBe(false);
});
