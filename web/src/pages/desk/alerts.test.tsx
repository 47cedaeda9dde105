/** What sounds at the desk beside a ring, and what does not. */
import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { CaseSummary } from "../../desk/case-contract.ts";
import type { DeskCall } from "../../desk/contract.ts";
import { chime } from "../../desk/desk-sound.ts";
import { CASE } from "../../desk/testing/cases.ts";
import {
  CALL,
  type InMemoryDesk,
  inMemoryDeskOf,
  inMemoryLine,
  MEI,
} from "../../desk/testing/in-memory-desk.ts";
import { DeskPage } from "./DeskPage.tsx";

vi.mock("../../desk/desk-sound.ts", async (original) => ({
  ...(await original<typeof import("../../desk/desk-sound.ts")>()),
  chime: vi.fn(),
}));

const CALM: DeskCall = { ...CALL, callId: "0f3b2c44-0000-4000-8000-000000000002", urgent: false };
const WAITING: CaseSummary = { ...CASE, state: "waiting", takenBy: null, yours: false };

let desk: InMemoryDesk;
let notices: string[];

beforeEach(() => {
  window.history.replaceState(null, "", "/desk");
  vi.mocked(chime).mockClear();
  notices = [];
  class Notice {
    static permission = "granted";
    constructor(title: string) {
      notices.push(title);
    }
    close() {}
  }
  vi.stubGlobal("Notification", Notice);
});
afterEach(() => vi.unstubAllGlobals());

async function openDesk() {
  desk = inMemoryDeskOf("officer", [CALL, CALM]);
  desk.answers["GET /cases"] = { cases: [WAITING], next: null };
  desk.answers[`POST /calls/${CALL.callId}/accept`] = null;
  render(<DeskPage parts={inMemoryLine()} />);
  await screen.findByRole("heading", { name: /Live calls/ });
  await desk.connect();
  await waitFor(() => expect(desk.asked).toContain("GET /cases"));
}
const sounded = () => vi.mocked(chime).mock.calls.length;

it("what is there when the page is opened makes no sound", async () => {
  await openDesk();
  expect([sounded(), notices]).toEqual([0, []]);
});

it("a call that becomes urgent sounds once, and the system says for whom it is", async () => {
  await openDesk();
  await desk.tell("call", { ...CALM, urgent: true });
  expect([sounded(), notices]).toEqual([1, ["An urgent call for PAVE"]]);
  await desk.tell("call", { ...CALM, urgent: true, state: "ringing" });
  await desk.tell("call", { ...CALL, since: "2026-11-24T18:03:00Z" });
  expect(sounded()).toBe(1);
});

it("a caller for whom nobody was reached sounds", async () => {
  await openDesk();
  await desk.tell("unreached", { callId: CALL.callId, agency: "PAVE", why: "nobody-answered" });
  expect([sounded(), notices]).toEqual([1, ["Nobody was reached for PAVE"]]);
});

it("a case that came back because nobody touched it sounds", async () => {
  await openDesk();
  desk.answers["GET /cases"] = { cases: [{ ...WAITING, returned: 1, escalated: true }], next: null };
  await desk.tell("case", { callId: WAITING.callId });
  await waitFor(() => expect(notices).toEqual(["A case for PAVE came back untouched"]));
  expect(sounded()).toBe(1);
});

it("nothing sounds into a talk with a caller, nor is made up for after it", async () => {
  await openDesk();
  await desk.tell("ringing", { callId: CALL.callId, agency: "PAVE", since: CALL.since, everyone: false });
  await userEvent.click(await screen.findByRole("button", { name: /^Accept/ }));
  await desk.tell("call", { ...CALL, state: "officer", officer: MEI.name, yours: true });
  await desk.tell("call", { ...CALM, urgent: true });
  await desk.tell("call-over", { callId: CALL.callId });
  await act(async () => {});
  expect([sounded(), notices]).toEqual([0, ["A call is ringing for PAVE"]]);
});
