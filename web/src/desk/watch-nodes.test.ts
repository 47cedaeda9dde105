/** A stream of events from each node, as nodes come, go and fall silent. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { DeskNodes } from "./contract.ts";
import { InMemoryEventSource } from "./testing/in-memory-desk.ts";
import { NODES_EVERY_MS, watchNodes } from "./watch-nodes.ts";

let told: string[];
let nodes: DeskNodes | null;
let gone: Set<string | null>;
let end: () => void;

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const open = () => InMemoryEventSource.streams.filter(({ closed }) => !closed);
const urls = () => open().map(({ url }) => url);
const stream = (node: string) => {
  const found = open().find(({ url }) => url.startsWith(`/node/${node}/`));
  if (!found) throw new Error(`no stream of ${node} is open`);
  return found;
};

async function watch(known: DeskNodes | null) {
  nodes = known;
  end = watchNodes({
    fetchNodes: async () => {
      if (!nodes) throw new TypeError("no answer");
      return nodes;
    },
    noAnswer: () => told.push("no answer"),
    found: (node) => told.push(`found ${node}`),
    connected: (node) => told.push(`connected ${node}`),
    lost: (node) => told.push(`lost ${node}`),
    gone: (node) => told.push(`gone ${node}`),
    told: (node, { type }) => told.push(`${type} ${node}`),
    isStillSignedIn: async (node) => {
      if (gone.has(node)) throw new TypeError("no answer");
      return true;
    },
    signedOut: () => told.push("signed out"),
  });
  await pass(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  InMemoryEventSource.streams = [];
  vi.stubGlobal("EventSource", InMemoryEventSource);
  told = [];
  gone = new Set();
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

describe("the streams of events", () => {
  it("are one where there is one node, by the plain path", async () => {
    await watch({ here: null, nodes: [] });
    expect(urls()).toEqual(["/api/desk/events"]);
  });

  it("are one of each node, by its name", async () => {
    await watch({ here: "a", nodes: ["a", "b"] });
    expect(urls()).toEqual(["/node/a/api/desk/events", "/node/b/api/desk/events"]);
    stream("b").open();
    stream("b").tell("call-over", { callId: "one" });
    expect(told).toEqual(["found a", "found b", "connected b", "call-over b"]);
  });

  it("are joined by that of a node that comes later", async () => {
    await watch({ here: "a", nodes: ["a"] });
    nodes = { here: "a", nodes: ["a", "b"] };
    await pass(NODES_EVERY_MS);
    expect(urls()).toEqual(["/node/a/api/desk/events", "/node/b/api/desk/events"]);
  });

  it("go on where one of them breaks, and that one is tried until its node is none any more", async () => {
    await watch({ here: "a", nodes: ["a", "b"] });
    stream("a").open();
    stream("b").open();
    gone.add("b");
    stream("b").break();
    await pass(1000);
    expect(told).toContain("lost b");
    expect(told).not.toContain("lost a");
    nodes = { here: "a", nodes: ["a"] };
    await pass(NODES_EVERY_MS);
    expect(told.at(-1)).toBe("gone b");
    const tried = InMemoryEventSource.streams.length;
    gone.delete("b");
    await pass(10_000);
    expect(InMemoryEventSource.streams).toHaveLength(tried);
    expect(urls()).toEqual(["/node/a/api/desk/events"]);
  });

  it("are not given up where a node still tells, though its word has lapsed", async () => {
    await watch({ here: "a", nodes: ["a", "b"] });
    stream("b").open();
    nodes = { here: "a", nodes: ["a"] };
    await pass(NODES_EVERY_MS);
    expect(urls()).toContain("/node/b/api/desk/events");
    expect(told).not.toContain("gone b");
  });

  it("go by names as soon as the nodes have some", async () => {
    await watch({ here: null, nodes: [] });
    open()[0]?.open();
    nodes = { here: "a", nodes: ["a"] };
    await pass(NODES_EVERY_MS);
    expect(urls()).toEqual(["/node/a/api/desk/events"]);
    expect(told).toContain("gone null");
  });

  it("are opened once somebody has said which nodes there are", async () => {
    await watch(null);
    expect(told).toEqual(["no answer"]);
    expect(open()).toHaveLength(0);
    nodes = { here: "a", nodes: ["a"] };
    await pass(1000);
    expect(urls()).toEqual(["/node/a/api/desk/events"]);
  });

  it("stay as they are while nobody says which nodes there are", async () => {
    await watch({ here: "a", nodes: ["a"] });
    stream("a").open();
    nodes = null;
    await pass(2 * NODES_EVERY_MS);
    expect(urls()).toEqual(["/node/a/api/desk/events"]);
    expect(told).toEqual(["found a", "connected a"]);
  });

  it("end with the page", async () => {
    await watch({ here: "a", nodes: ["a", "b"] });
    end();
    nodes = { here: "a", nodes: ["a", "b", "c"] };
    await pass(60_000);
    expect(open()).toHaveLength(0);
  });
});
