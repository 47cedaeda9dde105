// @vitest-environment node
import { describe, expect, it } from "vitest";
import type { CallInfo } from "../api/contract.ts";
import { recordFromInfo, recordOfNewCall } from "./call-record.ts";
import { caseNoteFileName, caseNoteText } from "./case-note.ts";
import { type Evidence, escalationTriggers, placeOf } from "./evidence.ts";

const evidence = (claim: string, words = claim, turn = 0): Evidence => ({ claim, words, turn });
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
  evidence: [evidence("weapon", "a knife"), evidence("denies injury", "not hurt", 1)],
};

describe("the words that raised the flag", () => {
  const mixed = [
    evidence("name"),
    evidence("weapon"),
    evidence("denies suicidal thoughts"),
    evidence("fear"),
  ];

  it("are those of escalation triggers", () => {
    expect(escalationTriggers(mixed, true).map(({ claim }) => claim)).toEqual(["weapon"]);
  });

  it("are none for a case that is not urgent", () => {
    expect(escalationTriggers(mixed, false)).toEqual([]);
  });

  it("are all signals when none is known as a trigger, and never a fact or a denial", () => {
    const unknown = mixed.filter(({ claim }) => claim !== "weapon");
    expect(escalationTriggers(unknown, true).map(({ claim }) => claim)).toEqual(["fear"]);
  });
});

describe("the place of a claim in the transcript", () => {
  const messages = [
    { role: "bot", message: "Are you safe?" },
    { role: "user", message: "No." },
    { role: "bot", message: "What happened?" },
    { role: "user", message: "He has a Knife, a real knife." },
  ];

  it("is in the caller's turn that it names, from 0", () => {
    expect(placeOf(evidence("weapon", "a knife", 1), messages)).toEqual({ message: 3, from: 7, to: 14 });
  });

  it("is looked for in what else the caller said, never in the assistant's words", () => {
    expect(placeOf(evidence("weapon", "knife", 0), messages)).toMatchObject({ message: 3 });
    expect(placeOf(evidence("safe", "safe", 7), messages)).toBeNull();
  });

  it("is the whole turn when the words do not stand there letter for letter", () => {
    expect(placeOf(evidence("weapon", "a big knife", 1), messages)).toEqual({ message: 3, from: 0, to: 0 });
    expect(placeOf(evidence("weapon", "", 0), messages)).toEqual({ message: 1, from: 0, to: 0 });
    expect(placeOf(evidence("weapon", "a knife", 1), [])).toBeNull();
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
    expect(note).not.toMatch(/Heads up|raised the flag|\n\n\n/);
  });

  it("is named after the case, and nothing else", () => {
    expect(caseNoteFileName(recordFromInfo("../11 ", INFO))).toBe("case-11.txt");
  });
});
