import { describe, expect, it } from "vitest";
import type { DeskCall } from "./contract.ts";
import { changeDesk, type DeskChange, type DeskState, EMPTY_DESK, inOrder } from "./desk-state.ts";
import { CALL } from "./testing/in-memory-desk.ts";

const stateAfter = (...changes: DeskChange[]): DeskState => changes.reduce(changeDesk, EMPTY_DESK);
const call = (callId: string, more: Partial<DeskCall> = {}): DeskCall => ({ ...CALL, callId, ...more });
const ids = (state: DeskState) => [...state.calls.keys()];
const RINGING = {
  type: "ringing",
  callId: "one",
  agency: "PAVE",
  since: "2026-11-24T18:00:00Z",
  everyone: false,
} as const;

describe("the live calls", () => {
  it("are those that were read, and what is told of them since", () => {
    const state = stateAfter(
      { type: "connected" },
      { type: "calls-read", calls: [call("one"), call("two")] },
      { type: "call", ...call("two", { state: "ringing" }) },
      { type: "call", ...call("three") },
      { type: "call-over", callId: "one" },
    );
    expect(ids(state)).toEqual(["two", "three"]);
    expect(state.calls.get("two")?.state).toBe("ringing");
  });

  it("are as they were told, where a list that was asked for earlier comes later", () => {
    const state = stateAfter(
      { type: "connected" },
      { type: "call", ...call("one", { state: "officer" }) },
      { type: "call", ...call("two") },
      { type: "call-over", callId: "two" },
      { type: "calls-read", calls: [call("one"), call("two"), call("three")] },
    );
    expect(ids(state)).toEqual(["one", "three"]);
    expect(state.calls.get("one")?.state).toBe("officer");
  });

  it("are not kept from before a connection that was lost", () => {
    const state = stateAfter(
      { type: "connected" },
      { type: "calls-read", calls: [call("one")] },
      { type: "connection-lost" },
      { type: "connected" },
      { type: "calls-read", calls: [call("two")] },
    );
    expect(ids(state)).toEqual(["two"]);
  });

  it("stand with the urgent first, and then those that have waited longest", () => {
    const { calls } = stateAfter(
      { type: "connected" },
      {
        type: "calls-read",
        calls: [
          call("late", { urgent: false, since: "2026-11-24T18:05:00Z" }),
          call("urgent", { urgent: true, since: "2026-11-24T18:09:00Z" }),
          call("early", { urgent: false, since: "2026-11-24T18:01:00Z" }),
        ],
      },
    );
    expect(inOrder(calls).map(({ callId }) => callId)).toEqual(["urgent", "early", "late"]);
  });
});

describe("ringing", () => {
  it("is one ring a call, however often it is told", () => {
    expect(stateAfter(RINGING, RINGING).ringing).toHaveLength(1);
  });

  it("is over when a colleague has taken the call, who is named", () => {
    const state = stateAfter(RINGING, {
      type: "ringing-over",
      callId: "one",
      takenBy: "Farid",
      yours: false,
    });
    expect(state.ringing).toEqual([]);
    expect(state.taken).toEqual({ callId: "one", agency: "PAVE", by: "Farid" });
  });

  it("is over without a word when one took the call oneself, or nobody did", () => {
    const own = stateAfter(RINGING, { type: "ringing-over", callId: "one", takenBy: "Mei", yours: true });
    const nobody = stateAfter(RINGING, { type: "ringing-over", callId: "one", takenBy: null, yours: false });
    for (const state of [own, nobody]) expect([state.ringing, state.taken]).toEqual([[], null]);
  });

  it("is over with the call, and where the desk may have been overtaken", () => {
    expect(stateAfter(RINGING, { type: "call-over", callId: "one" }).ringing).toEqual([]);
    expect(stateAfter(RINGING, { type: "connection-lost" }).ringing).toEqual([]);
    expect(stateAfter(RINGING, { type: "connected" }).ringing).toEqual([]);
  });
});

describe("a call that nobody reached", () => {
  it("stays until it is put away, also when the call is over", () => {
    const unreached = { type: "unreached", callId: "one", agency: "PAVE", why: "all-declined" } as const;
    const twice = stateAfter(unreached, unreached, { type: "call-over", callId: "one" });
    expect(twice.unreached.map(({ id }) => id)).toEqual([1, 2]);
    const left = changeDesk(twice, { type: "unreached-put-away", id: 1 });
    expect(left.unreached.map(({ id }) => id)).toEqual([2]);
  });
});

describe("captions", () => {
  const said = (text: string, at: number) => ({ speaker: "caller", text, at }) as const;

  it("are kept of calls that are open on the page, and of no others", () => {
    const state = stateAfter(
      { type: "opened", callId: "one" },
      { type: "caption", callId: "one", ...said("yes", 3) },
      { type: "caption", callId: "two", ...said("no", 3) },
    );
    expect(state.captions.get("one")).toHaveLength(1);
    expect(state.captions.has("two")).toBe(false);
    expect(changeDesk(state, { type: "closed", callId: "one" }).captions.size).toBe(0);
  });

  it("are there once and in order, whether they were told, read or both", () => {
    const state = stateAfter(
      { type: "opened", callId: "one" },
      { type: "caption", callId: "one", ...said("third", 9) },
      { type: "captions-read", callId: "one", captions: [said("first", 1), said("third", 9)] },
      { type: "caption", callId: "one", ...said("fourth", 12) },
    );
    expect(state.captions.get("one")?.map(({ text }) => text)).toEqual(["first", "third", "fourth"]);
  });
});
