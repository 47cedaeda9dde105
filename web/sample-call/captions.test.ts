/** From what the scripted caller wrote down to the sample call's captions. */
import { captionsOf, type TimelineEvent } from "./captions.ts";

const heard = (at: number, transcript: string): TimelineEvent => ({
  at,
  event: "message",
  message: { type: "transcript", role: "assistant", transcriptType: "partial", transcript },
});
const SILENT = { turns: [], begins: [] };
const stopped = (at: number): TimelineEvent => ({
  at,
  event: "message",
  message: { type: "speech-update", role: "assistant", status: "stopped" },
});

test("each sentence of the assistant lasts until its next, or until it has stopped", () => {
  const timeline = [heard(0.1, "Hello."), heard(1.5, "Are you safe?"), stopped(3.02)];
  const captions = captionsOf(timeline, [{ role: "bot", message: "Hello. Are you safe?" }], SILENT, 3);
  expect(captions).toEqual([
    { from: 0.1, to: 1.5, speaker: "assistant", words: "Hello." },
    { from: 1.5, to: 3, speaker: "assistant", words: "Are you safe?" },
  ]);
});

test("the assistant's words are those of the record, where the wire has what the voice reads out", () => {
  const timeline = [heard(1, "The D-vert team will reach out."), stopped(4)];
  const messages = [{ role: "bot", message: "The DVERT team will reach out." }];
  const [caption] = captionsOf(timeline, messages, SILENT, 9);
  expect(caption?.words).toBe("The DVERT team will reach out.");
});

test("the caller's sentences begin where they do in what was spoken", () => {
  const timeline: TimelineEvent[] = [{ at: 7.3, event: "says", from: 7.4, to: 12 }];
  const said = { turns: [["Yes.", "She is at work."]], begins: [[0, 1.25]] };
  expect(captionsOf(timeline, [], said, 60)).toEqual([
    { from: 7.4, to: 8.65, speaker: "caller", words: "Yes." },
    { from: 8.65, to: 12, speaker: "caller", words: "She is at work." },
  ]);
});
