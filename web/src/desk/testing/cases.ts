/** Cases, a night and a week of shifts, made up for tests; and a desk's server with them. */
import type {
  CaseInside,
  CaseNote,
  CaseSummary,
  Colleague,
  FollowUp,
  Receipt,
  Report,
  Shift,
} from "../case-contract.ts";
import type { Role } from "../contract.ts";
import { type InMemoryDesk, inMemoryDeskOf, MEI } from "./in-memory-desk.ts";

export const JOAN: Colleague = {
  id: "11111111-0000-4000-8000-000000000002",
  name: "Joan Ong",
  role: "officer",
};
export const COLLEAGUES: Colleague[] = [
  { id: MEI.id, name: MEI.name, role: "officer" },
  JOAN,
  { id: "11111111-0000-4000-8000-000000000003", name: "Farid Rahman", role: "supervisor" },
];

export const CASE: CaseSummary = {
  callId: "0f3b2c44-0000-4000-8000-0000000000a1",
  kind: "webCall",
  startedAt: "2026-11-24T18:00:00Z",
  endedAt: "2026-11-24T18:06:30Z",
  durationSeconds: 390,
  agency: "PAVE",
  urgent: true,
  state: "taken",
  since: "2026-11-24T18:10:00Z",
  takenBy: { id: MEI.id, name: MEI.name },
  yours: true,
  returned: 0,
  escalated: false,
  title: "Hurt by her husband, afraid to go home",
  openFollowUps: 1,
  nextDueAt: "2026-11-25T06:00:00Z",
  outcome: null,
  held: false,
  deletedAt: "2026-12-24T18:06:30Z",
};

export const MACHINE_NOTE: CaseNote = {
  summaryTitle: "Hurt by her husband, afraid to go home",
  summary:
    "The caller’s husband hit her tonight and took her phone for an hour. She is at a neighbour’s flat with her two children and does not want to go back.",
  structuredData: {
    name: "Siti",
    urgent: true,
    location: "Toa Payoh",
    follow_up: "Call back before noon on the neighbour's number. Ask about a place to stay.",
    abuse_type: "Physical",
    transfer_to: "PAVE",
    transferred: false,
    latest_incident_date: "Tonight",
  },
};

export const FOLLOW_UP: FollowUp = {
  id: "22222222-0000-4000-8000-000000000001",
  kind: "call-back",
  words: "Ask whether she found a place to stay",
  dueAt: "2026-11-25T06:00:00Z",
  owner: JOAN,
  done: null,
  callId: CASE.callId,
};

export const INSIDE: CaseInside = {
  case: CASE,
  version: 3,
  note: MACHINE_NOTE,
  machineNote: MACHINE_NOTE,
  noteEdited: null,
  evidence: [
    { claim: "violence now", words: "he hit me again tonight", messageIndex: 1, escalates: true },
    { claim: "place", words: "at my neighbour's place", messageIndex: 3, escalates: false },
  ],
  messages: [
    { speaker: "assistant", officer: null, text: "Hello, this is Nightlight. I am here with you.", at: 0 },
    { speaker: "caller", officer: null, text: "I am scared, he hit me again tonight.", at: 6 },
    {
      speaker: "assistant",
      officer: null,
      text: "Are you safe where you are now? If not, ring 999.",
      at: 12,
    },
    { speaker: "caller", officer: null, text: "Yes, I am at my neighbour's place with my two kids.", at: 19 },
    { speaker: "officer", officer: "Mei Tan", text: "Hello Siti, I am Mei, I am a person.", at: 71 },
  ],
  actions: [
    { code: "called-back", label: "Called back" },
    { code: "safety-plan", label: "Made a safety plan" },
    { code: "shelter", label: "Found a place to stay" },
    { code: "police", label: "Told the police" },
  ],
  actionTaken: null,
  followUps: [FOLLOW_UP],
  timeline: [
    { at: "2026-11-24T18:00:00Z", by: "Assistant", what: "answered the call", words: null },
    { at: "2026-11-24T18:01:10Z", by: "Mei Tan", what: "came onto the call", words: null },
    { at: "2026-11-24T18:06:30Z", by: "Assistant", what: "wrote the note", words: null },
    { at: "2026-11-24T18:10:00Z", by: "Mei Tan", what: "took the case", words: null },
  ],
  callerNumber: null,
  earlier: [],
  hold: null,
  may: { take: true, edit: true, close: true, reopen: true, hold: true },
  deletedIfClosed: {},
};

export const REPORT: Report = {
  from: "2026-11-24T10:00:00Z",
  until: "2026-11-25T00:00:00Z",
  complete: true,
  calls: 14,
  urgent: 4,
  transferred: 5,
  reachedAPerson: 3,
  notReached: 2,
  cutOff: 1,
  waiting: 6,
  closed: 7,
  byAgency: [
    { agency: "PAVE", cases: 6, urgent: 3 },
    { agency: "SOS", cases: 4, urgent: 1 },
    { agency: null, cases: 4, urgent: 0 },
  ],
  cases: [CASE],
  followUpsDue: [FOLLOW_UP],
};

export const SHIFT: Shift = {
  id: "33333333-0000-4000-8000-000000000001",
  account: JOAN,
  begins: "2026-11-24T14:00:00Z",
  ends: "2026-11-24T22:00:00Z",
};

export const RECEIPT: Receipt = {
  callId: "0f3b2c44-0000-4000-8000-0000000000ff",
  deletedAt: "2026-11-20T02:00:00Z",
  why: "closed",
  who: "server",
  kinds: ["transcript", "note", "follow-ups"],
  hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
};

/** Where a case is asked for. */
export const caseAt = (id = CASE.callId) => `/cases/${id}`;

/** A desk where somebody is signed in, with these cases in its queue. */
export function inMemoryCaseDesk(role: Role, cases: readonly CaseInside[] = [INSIDE]): InMemoryDesk {
  const desk = inMemoryDeskOf(role);
  desk.answers["GET /colleagues"] = { colleagues: COLLEAGUES };
  setCases(desk, cases);
  return desk;
}

/** What the server tells of cases from now on. */
export function setCases(desk: InMemoryDesk, cases: readonly CaseInside[]): void {
  desk.answers["GET /cases"] = { cases: cases.map((each) => each.case), next: null };
  for (const each of cases) desk.answers[`GET ${caseAt(each.case.callId)}`] = each;
}
