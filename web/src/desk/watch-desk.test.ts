/** The stream of one node's events, and how it is opened again. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { InMemoryEventSource } from "./testing/in-memory-desk.ts";
import { LOOK_EVERY_MS, watchDesk } from "./watch-desk.ts";

let told: string[];
let answer: () => Promise<boolean>;
let end: () => void;

const stream = () => InMemoryEventSource.streams.at(-1) as InMemoryEventSource;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  InMemoryEventSource.streams = [];
  vi.stubGlobal("EventSource", InMemoryEventSource);
  told = [];
  answer = async () => true;
  const watcher = {
    connected: () => told.push("connected"),
    lost: () => told.push("lost"),
    told: ({ type }: { type: string }) => told.push(type),
    isStillSignedIn: () => answer(),
    signedOut: () => told.push("signed out"),
  };
  end = watchDesk(watcher, "/api/desk/events");
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

describe("the stream of events", () => {
  it("is told by name", () => {
    stream().open();
    stream().tell("call-over", { callId: "one" });
    stream().tell("case", { callId: "one" });
    expect(told).toEqual(["connected", "call-over", "case"]);
  });

  it("is opened again when it breaks, at once and by no clock of the browser's", async () => {
    stream().open();
    stream().break();
    expect(told).toEqual(["connected", "lost"]);
    expect(stream().closed).toBe(true);
    await pass(500);
    stream().open();
    expect(told.at(-1)).toBe("connected");
    expect(InMemoryEventSource.streams).toHaveLength(2);
  });

  it("is tried less often while the server does not answer, and goes on being tried", async () => {
    stream().open();
    answer = () => Promise.reject(new TypeError("no answer"));
    stream().break();
    await pass(20_000);
    expect(InMemoryEventSource.streams).toHaveLength(1);
    expect(told.filter((each) => each === "lost").length).toBeLessThan(9);
    answer = async () => true;
    await pass(4_000);
    expect(InMemoryEventSource.streams).toHaveLength(2);
  });

  it("is not opened again where nobody is signed in any more", async () => {
    answer = async () => false;
    stream().break();
    await pass(500);
    expect(told).toEqual(["lost", "signed out"]);
    expect(InMemoryEventSource.streams).toHaveLength(1);
  });

  it("is found dead when the network has fallen silent, though nothing says so", async () => {
    stream().open();
    answer = () => Promise.reject(new TypeError("no answer"));
    await pass(LOOK_EVERY_MS);
    expect(told).toEqual(["connected", "lost"]);
  });

  it("ends with the page", async () => {
    stream().open();
    end();
    await pass(60_000);
    expect(stream().closed).toBe(true);
    expect(InMemoryEventSource.streams).toHaveLength(1);
  });
});
