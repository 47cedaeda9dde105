/** What the desk shows after what it was told, by one node or by several, in whatever order that comes. */
import { describe, expect, it } from "vitest";
import type { DeskCall } from "./contract.ts";
import {
  changeDesk,
  type DeskChange,
  type DeskState,
  EMPTY_DESK,
  elsewhere,
  inOrder,
  ownDuty,
} from "./desk-state.ts";
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

  it("of a whole shift leave nothing behind when they are over", () => {
    const shift = Array.from({ length: 500 }, (_, i): DeskChange[] => [
      { type: "call", ...call(`call-${i}`) },
      { type: "call-over", callId: `call-${i}` },
    ]);
    const state = stateAfter(
      { type: "connected" },
      { type: "calls-read", calls: [call("one"), call("two")] },
      ...shift.flat(),
      { type: "calls-read", calls: [call("one")] },
    );
    expect([...state.at.keys()]).toEqual(["one"]);
    expect(state.toldMeanwhile.size).toBe(0);
  });

  it("that are over keep their node while they are open on the page, and no longer", () => {
    const open = stateAfter(
      { type: "connected", node: "a" },
      { type: "calls-read", node: "a", calls: [call("one")] },
      { type: "opened", callId: "one" },
      { type: "call-over", node: "a", callId: "one" },
    );
    expect(open.at.get("one")).toBe("a");
    expect(changeDesk(open, { type: "closed", callId: "one" }).at.size).toBe(0);
  });

  it("are as they were told, also where their list is asked for again", () => {
    const state = stateAfter(
      { type: "connected" },
      { type: "calls-read", calls: [call("one"), call("two")] },
      { type: "calls-asked" },
      { type: "call", ...call("one", { state: "officer" }) },
      { type: "call-over", callId: "two" },
      { type: "calls-read", calls: [call("one"), call("two")] },
    );
    expect(ids(state)).toEqual(["one"]);
    expect(state.calls.get("one")?.state).toBe("officer");
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
  const said = (text: string, at: number) => ({ speaker: "caller", officer: null, text, at }) as const;

  it("are kept of calls that are open on the page, and of no others", () => {
    const state = stateAfter(
      { type: "opened", callId: "one" },
      { type: "caption", callId: "one", ...said("yes", 3), isFinal: true },
      { type: "caption", callId: "two", ...said("no", 3), isFinal: true },
    );
    expect(state.captions.get("one")).toHaveLength(1);
    expect(state.captions.has("two")).toBe(false);
    expect(changeDesk(state, { type: "closed", callId: "one" }).captions.size).toBe(0);
  });

  it("are there once and in order, whether they were told, read or both", () => {
    const state = stateAfter(
      { type: "opened", callId: "one" },
      { type: "caption", callId: "one", ...said("third", 9), isFinal: true },
      { type: "captions-read", callId: "one", captions: [said("first", 1), said("third", 9)] },
      { type: "caption", callId: "one", ...said("fourth", 12), isFinal: true },
    );
    expect(state.captions.get("one")?.map(({ text }) => text)).toEqual(["first", "third", "fourth"]);
  });

  it("that are not final yet give way to their speaker's next, and to no other's", () => {
    const is = (speaker: "caller" | "assistant", text: string, at: number, isFinal: boolean) =>
      ({ type: "caption", callId: "one", speaker, officer: null, text, at, isFinal }) as const;
    const shown = ({ captions }: DeskState) =>
      captions.get("one")?.map(({ text, partial }) => (partial ? `${text} …` : text));
    const saying = stateAfter(
      { type: "opened", callId: "one" },
      is("caller", "I", 1, false),
      is("assistant", "Hello.", 2, false),
      is("caller", "I am here", 3, false),
    );
    expect(shown(saying)).toEqual(["Hello. …", "I am here …"]);
    const said = changeDesk(saying, is("caller", "I am here now", 4, true));
    expect(shown(said)).toEqual(["Hello. …", "I am here now"]);
    const nothing = changeDesk(said, is("assistant", "", 5, true));
    expect(shown(nothing)).toEqual(["I am here now"]);
    const again = changeDesk(saying, { type: "captions-read", callId: "one", captions: [] });
    expect(shown(again)).toEqual([]);
  });

  it("of a long call are read again without comparing each with each", () => {
    const CAPTIONS = 1000;
    let looks = 0;
    const read = () =>
      Array.from({ length: CAPTIONS }, (_, i) => ({
        speaker: "caller" as const,
        officer: null,
        text: `so it was ${i}`,
        get at() {
          looks++;
          return i;
        },
      }));
    const state = stateAfter(
      { type: "opened", callId: "one" },
      { type: "captions-read", callId: "one", captions: read() },
    );
    looks = 0;
    const again = changeDesk(state, { type: "captions-read", callId: "one", captions: read() });
    expect(again).toBe(state);
    expect(looks).toBeLessThan(10 * CAPTIONS);
  });
});

describe("several nodes", () => {
  const A = { node: "a" } as const;
  const B = { node: "b" } as const;
  const TWO: DeskChange[] = [
    { type: "node-found", ...A },
    { type: "node-found", ...B },
    { type: "connected", ...A },
    { type: "connected", ...B },
    { type: "calls-read", ...A, calls: [call("one")] },
    { type: "calls-read", ...B, calls: [call("two")] },
  ];

  it("have their calls and rings side by side, and each call is known by its node", () => {
    const state = stateAfter(...TWO, { ...RINGING, callId: "two", ...B }, { ...RINGING, ...A });
    expect(ids(state)).toEqual(["one", "two"]);
    expect(state.ringing.map(({ callId }) => callId)).toEqual(["two", "one"]);
    expect([state.at.get("one"), state.at.get("two")]).toEqual(["a", "b"]);
  });

  it("are read each for itself", () => {
    const state = stateAfter(
      ...TWO,
      { type: "connected", ...A },
      { type: "call", ...call("four"), ...A },
      { type: "calls-read", ...A, calls: [call("three")] },
    );
    expect(ids(state)).toEqual(["two", "four", "three"]);
  });

  it("ring on where another is lost, whose rings may have been overtaken", () => {
    const state = stateAfter(
      ...TWO,
      { ...RINGING, ...A },
      { ...RINGING, callId: "two", ...B },
      {
        type: "connection-lost",
        ...A,
      },
    );
    expect(state.ringing.map(({ callId }) => callId)).toEqual(["two"]);
    expect(state.connection).toBe("connected");
    expect(changeDesk(state, { type: "connection-lost", ...B }).connection).toBe("lost");
  });

  it("are missed when they stay away, and not for a moment", () => {
    const lost = stateAfter(...TWO, { type: "connection-lost", ...A });
    expect(lost.missed.size).toBe(0);
    const missed = changeDesk(lost, { type: "node-missed", ...A });
    expect([...missed.missed]).toEqual(["a"]);
    expect(changeDesk(missed, { type: "connected", ...A }).missed.size).toBe(0);
    expect(changeDesk(missed, { type: "node-gone", ...A }).missed.size).toBe(0);
    expect(stateAfter(...TWO, { type: "node-missed", ...A }).missed.size).toBe(0);
  });

  it("take what they had with them when they are none any more", () => {
    const state = stateAfter(...TWO, { ...RINGING, ...A }, { type: "node-gone", ...A });
    expect([ids(state), state.ringing]).toEqual([["two"], []]);
    expect(state.connection).toBe("connected");
  });

  it("do not end a call that another has taken up", () => {
    const state = stateAfter(
      ...TWO,
      { type: "call", ...call("one"), ...B },
      { type: "call-over", callId: "one", ...A },
    );
    expect(state.at.get("one")).toBe("b");
    expect(ids(state)).toContain("one");
  });

  it("forget a call that was over before its list came", () => {
    const state = stateAfter(
      { type: "connected", ...A },
      { type: "call-over", callId: "one", ...A },
      { type: "calls-read", ...A, calls: [call("one")] },
    );
    expect(ids(state)).toEqual([]);
  });

  it("are not all lost because some have not answered yet", () => {
    const state = stateAfter(
      { type: "node-found", ...A },
      { type: "node-found", ...B },
      { type: "connection-lost", ...A },
    );
    expect(state.connection).toBe("connecting");
    expect(stateAfter({ type: "no-answer" }).connection).toBe("lost");
  });

  it("are each told what one is at on the others", () => {
    const now = Date.parse("2026-11-24T18:00:00Z");
    const until = "2026-11-24T18:01:00Z";
    const talking = stateAfter(...TWO, { type: "call", ...call("one", { yours: true }), ...A });
    expect(elsewhere(talking, "a", now).busy).toBe(false);
    expect(elsewhere(talking, "b", now).busy).toBe(true);

    const duty = { type: "duty", onDuty: true } as const;
    const wrapping = stateAfter(
      ...TWO,
      { ...duty, wrapUpUntil: until, ...A },
      { ...duty, wrapUpUntil: null, ...B },
    );
    expect(ownDuty(wrapping)).toEqual({ onDuty: true, wrapUpUntil: until });
    expect(elsewhere(wrapping, "b", now)).toEqual({ busy: false, wrapUpUntil: until, isKnown: false });
    expect(elsewhere(wrapping, "a", now).isKnown).toBe(true);
    // B repeats what it was told, a little late.
    const repeated = changeDesk(wrapping, { ...duty, wrapUpUntil: "2026-11-24T18:00:59.4Z", ...B });
    expect(elsewhere(repeated, "b", now).isKnown).toBe(true);
    expect(elsewhere(wrapping, "b", Date.parse(until)).wrapUpUntil).toBeNull();
  });
});
