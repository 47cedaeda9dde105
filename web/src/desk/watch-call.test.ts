/** The stream of one open call: what it tells, and what becomes of it when it breaks or is refused. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallInside } from "./contract.ts";
import { CALL, InMemoryEventSource } from "./testing/in-memory-desk.ts";
import { watchCall } from "./watch-call.ts";

const INSIDE: CallInside = { call: CALL, note: null, signals: [], captions: [] };

let told: string[];
let asked: number;
/** What reading the call gives, and whether a refusal of it may pass. */
let read: () => Promise<CallInside>;
let passes: boolean;
let end: () => void;

const open = () => InMemoryEventSource.streams.filter(({ closed }) => !closed);
const stream = () => InMemoryEventSource.streams.at(-1) as InMemoryEventSource;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  InMemoryEventSource.streams = [];
  InMemoryEventSource.opened = () => {};
  vi.stubGlobal("EventSource", InMemoryEventSource);
  [told, asked, passes] = [[], 0, false];
  read = async () => INSIDE;
  const watcher = {
    told: ({ type }: { type: string }) => told.push(type),
    read: () => {
      asked++;
      return read();
    },
    refused: () => passes,
  };
  end = watchCall(watcher, `/api/desk/live/${CALL.callId}/events`);
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

describe("the stream of an open call", () => {
  it("tells what the call is, and then what comes, without another reading", () => {
    stream().open();
    stream().tell("inside", INSIDE);
    stream().tell("note", { callId: CALL.callId, note: null, signals: [] });
    expect(told).toEqual(["inside", "note"]);
    expect(asked).toBe(0);
  });

  it("is opened again when it breaks, and the server is asked nothing else", async () => {
    stream().open();
    stream().tell("inside", INSIDE);
    stream().break();
    expect(open()).toHaveLength(0);
    await pass(500);
    expect(open()).toHaveLength(1);
    expect(asked).toBe(0);
  });

  it("is opened no more where the server refuses the call", async () => {
    read = () => Promise.reject(new Error("refused"));
    stream().break();
    await pass(60_000);
    expect(open()).toHaveLength(0);
    expect(asked).toBe(1);
  });

  it("is tried less and less often while nobody answers", async () => {
    read = () => Promise.reject(new TypeError("no answer"));
    passes = true;
    const tries = [500, 1000, 2000, 4000, 15_000, 15_000];
    for (const wait of tries) {
      stream().break();
      await pass(wait - 1);
      expect(open()).toHaveLength(0);
      await pass(1);
      expect(open()).toHaveLength(1);
    }
  });

  it("gives way to a reading where the call can be read and the stream cannot", async () => {
    stream().break();
    await pass(0);
    expect(told).toEqual(["inside"]);
  });

  it("ends with the call, and when it is closed", async () => {
    stream().open();
    stream().tell("over", { callId: CALL.callId });
    stream().break();
    await pass(60_000);
    expect(open()).toHaveLength(0);
    expect(InMemoryEventSource.streams).toHaveLength(1);
  });

  it("tells nothing after it was closed", () => {
    stream().open();
    end();
    stream().tell("inside", INSIDE);
    expect(stream().closed).toBe(true);
    expect(told).toEqual([]);
  });
});
