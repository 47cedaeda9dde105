/** What a page shows of a call: its status, its trouble, who speaks, and the captions. */
import { describe, expect, it } from "vitest";
import { type CallChange, changeCall, NO_CALL } from "./call-state.ts";
import { addTranscript, type Captions } from "./captions.ts";

const stateAfter = (...changes: CallChange[]) => changes.reduce(changeCall, NO_CALL);

describe("the call's status", () => {
  it.each<[string, CallChange[], string]>([
    ["is loading while it starts", [{ type: "start-pressed" }], "loading"],
    ["is active once the call has started", [{ type: "start-pressed" }, { type: "call-started" }], "active"],
    ["is error when the start failed", [{ type: "start-pressed" }, { type: "start-failed" }], "error"],
    [
      "is loading, then inactive, when the caller ends it",
      [{ type: "call-started" }, { type: "stop-pressed" }, { type: "call-ended" }],
      "inactive",
    ],
    [
      "is inactive after a platform error",
      [{ type: "call-started" }, { type: "platform-failed", trouble: "media-lost" }],
      "inactive",
    ],
    [
      "is error when the platform's error came with a failed start",
      [
        { type: "start-pressed" },
        { type: "platform-failed", trouble: "lines-busy" },
        { type: "start-failed" },
      ],
      "error",
    ],
  ])("%s", (_, changes, status) => {
    expect(stateAfter(...changes).status).toBe(status);
  });

  it("keeps the trouble until the next start", () => {
    const failed = stateAfter({ type: "platform-failed", trouble: "lines-busy" }, { type: "start-failed" });
    expect(failed.trouble).toBe("lines-busy");
    expect(changeCall(failed, { type: "start-pressed" }).trouble).toBeNull();
  });

  it("follows who is speaking, and forgets it with the call", () => {
    const speaking = stateAfter({ type: "call-started" }, { type: "speech-started" });
    expect(speaking.speaking).toBe(true);
    expect(changeCall(speaking, { type: "speech-ended" }).speaking).toBe(false);
    expect(changeCall(speaking, { type: "call-ended" }).speaking).toBe(false);
  });
});

describe("captions", () => {
  const words = (captions: Captions) =>
    captions.map(({ speaker, text, partial }) => [speaker, text, partial]);

  it("replace what was heard so far until it is final", () => {
    let captions = addTranscript([], "caller", "my husb", true);
    captions = addTranscript(captions, "caller", "my husband hit", true);
    expect(words(captions)).toEqual([["caller", "my husband hit", true]]);
    const [before] = captions;
    captions = addTranscript(captions, "caller", "My husband hit me.", false);
    expect(words(captions)).toEqual([["caller", "My husband hit me.", false]]);
    expect(captions[0]?.id).toBe(before?.id);
  });

  it("keep both sides apart and in order", () => {
    let captions = addTranscript([], "assistant", "Are you safe?", false);
    captions = addTranscript(captions, "caller", "no", true);
    captions = addTranscript(captions, "assistant", "I am here.", false);
    captions = addTranscript(captions, "caller", "No.", false);
    expect(words(captions)).toEqual([
      ["assistant", "Are you safe?", false],
      ["assistant", "I am here.", false],
      ["caller", "No.", false],
    ]);
    expect(new Set(captions.map(({ id }) => id)).size).toBe(3);
  });

  it("keep what the assistant has said while it says the next sentence", () => {
    let captions = addTranscript([], "assistant", "Hello.", true);
    captions = addTranscript(captions, "assistant", "Are you safe?", true);
    expect(words(captions)).toEqual([["assistant", "Hello. Are you safe?", true]]);
    captions = addTranscript(captions, "assistant", "Hello. Are you", false);
    expect(words(captions)).toEqual([["assistant", "Hello. Are you", false]]);
  });

  it("drop a partial that came to nothing", () => {
    expect(addTranscript(addTranscript([], "caller", "uh", true), "caller", " ", false)).toEqual([]);
  });
});
