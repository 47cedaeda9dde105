/** How the line may be, for tests and pictures. */
import type { LineStatus } from "../../../api/contract.ts";

export const ON_A_QUIET_NIGHT: LineStatus = {
  line: "open",
  calls: {
    talking: 3,
    cutOff: 0,
    waitingToBeJoined: 1,
    freeLines: 46,
    maxCalls: 50,
    written: 2,
    maxWritten: 1000,
  },
  endsOfTheLastHour: [
    { reason: "customer-ended-call", count: 7 },
    { reason: "assistant-forwarded-call", count: 2 },
  ],
  parts: [
    { part: "ears", state: "well", troubles: [] },
    { part: "voice", state: "well", troubles: [], detail: "af_heart" },
    { part: "reader", state: "well", troubles: [] },
    { part: "records", state: "well", troubles: [] },
    { part: "chat-model", state: "off", troubles: [] },
    { part: "media-address", state: "well", troubles: [], detail: "192.0.2.4:8080" },
  ],
  faults: [],
  version: "0.1.0",
  startedAt: "2026-11-21T14:00:00Z",
  at: "2026-11-23T18:04:05Z",
};

export const ON_A_BAD_NIGHT: LineStatus = {
  ...ON_A_QUIET_NIGHT,
  line: "busy",
  calls: { ...ON_A_QUIET_NIGHT.calls, talking: 47, cutOff: 2, freeLines: 0 },
  endsOfTheLastHour: [...ON_A_QUIET_NIGHT.endsOfTheLastHour, { reason: "call-media-lost", count: 4 }],
  parts: [
    { part: "ears", state: "limited", troubles: ["ears-busy"] },
    { part: "voice", state: "limited", troubles: ["voice-busy"], detail: "af_heart" },
    { part: "reader", state: "limited", troubles: ["rules-alone"] },
    {
      part: "records",
      state: "failing",
      troubles: ["records-not-stored", "records-not-read", "records-kept-aside"],
    },
    { part: "chat-model", state: "limited", troubles: ["chat-model-failing"] },
    { part: "media-address", state: "failing", troubles: ["media-only-here"], detail: "127.0.0.1:8080" },
  ],
  faults: [
    {
      severity: "error",
      message: "a turn is spoken before it is saved: the records are slow",
      times: 12,
      firstAt: "2026-11-23T17:58:00Z",
      lastAt: "2026-11-23T18:03:40Z",
    },
    {
      severity: "warning",
      message: "a segment could not be transcribed",
      times: 1,
      firstAt: "2026-11-23T18:01:00Z",
      lastAt: "2026-11-23T18:01:00Z",
    },
  ],
};
