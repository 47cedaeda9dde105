/** A record's case note as text, and its claims, each led back to the words that it rests on. */
import { describe, expect, it } from "vitest";
import type { CallInfo } from "../api/contract.ts";
import { recordFromInfo, recordOfNewCall } from "./call-record.ts";
import { caseNoteFileName, caseNoteText } from "./case-note.ts";
import { placeOf } from "./evidence.ts";

const WEAPON = { claim: "weapon", words: "a knife", turn: 1, messageIndex: 3 };
const INFO: CallInfo = {
  callId: "0f3b2c44",
  startedAt: "2026-11-02T18:04:00Z",
  durationSeconds: 83,
  summary: "Caller is afraid.",
  summaryTitle: "Caller in danger",
  structuredData: {
    name: "Mei",
    urgent: true,
    follow_up: "Call back before noon. Offer shelter.",
    transfer_to: "CPS",
    transferred: true,
  },
  messages: [],
  evidence: [WEAPON, { claim: "denies injury", words: "not hurt", turn: 1 }],
  escalationTriggers: [WEAPON],
};

describe("the evidence of a record", () => {
  it("says which words raised the flag, and in which message they stand", () => {
    expect(recordFromInfo("11", INFO).details.evidence).toEqual([
      { claim: "weapon", words: "a knife", message: 3, raisedFlag: true },
      { claim: "denies injury", words: "not hurt", message: null, raisedFlag: false },
    ]);
  });
});

describe("the place of a claim in the transcript", () => {
  const messages = [
    { role: "bot", message: "Are you safe? Is there a knife?" },
    { role: "user", message: "No." },
    { role: "bot", message: "What happened?" },
    { role: "user", message: "He has a Knife, a real knife." },
  ];
  const place = (words: string, message: number | null) =>
    placeOf({ claim: "weapon", words, message, raisedFlag: true }, messages);

  it("is in the message that it names", () => {
    expect(place("a knife", 3)).toEqual({ message: 3, from: 7, to: 14 });
  });

  it("is looked for in what the caller said where none is named, never in the assistant's words", () => {
    expect(place("knife", null)).toEqual({ message: 3, from: 9, to: 14 });
    expect(place("safe", null)).toBeNull();
    expect(place("knife", 99)).toMatchObject({ message: 3 });
  });

  it("is the whole message when the words do not stand there letter for letter", () => {
    expect(place("a big knife", 3)).toEqual({ message: 3, from: 0, to: 0 });
    expect(place("", 1)).toEqual({ message: 1, from: 0, to: 0 });
    expect(place("", null)).toBeNull();
  });
});

describe("the case note as text", () => {
  it("holds what the panel shows", () => {
    expect(caseNoteText(recordFromInfo("11", INFO))).toMatchInlineSnapshot(`
      "Call Log: case 11

      Heads up! This caller has been flagged as an urgent case and requires active follow-up.

      CALL ID:         0f3b2c44
      CALL STARTED AT: 3/11/26 (2:04 AM)
      CALL DURATION:   0h 01m 23s
      TYPE OF ABUSE:   Not specified
      URGENT STATUS:   TRUE
      TRANSFER TO:     CPS
      TRANSFER STATUS: TRUE
      CALLER NAME:     Mei
      CALLER LOCATION: Unknown
      LATEST INCIDENT: N/A

      Routed by age: 18 or under. The law calls a child anyone below 18; check which service is meant for a caller aged 18.

      Transcript Summary
      Caller in danger
      Caller is afraid.

      Recommended Follow-up
      - Call back before noon
      - Offer shelter

      Words that raised the flag
      - weapon: "a knife"

      The caller’s words behind this note
      - denies injury: "not hurt"

      Written by an AI assistant from the call. Check it with the transcript before acting on it.
      "
    `);
  });

  it("of a call under way says what is not known yet, and has no empty sections", () => {
    const note = caseNoteText(recordOfNewCall("12", "c", new Date("2026-11-02T18:04:00Z")));
    expect(note).toContain("CALLER NAME:     Not known yet");
    expect(note).toContain("URGENT STATUS:   Not assessed yet");
    expect(note).not.toMatch(/Heads up|raised the flag|\n\n\n/);
  });

  it("is named after the case, and nothing else", () => {
    expect(caseNoteFileName(recordFromInfo("../11 ", INFO))).toBe("case-11.txt");
  });
});
