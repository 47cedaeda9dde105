/** A hundred live calls that change all the time: what is drawn again for one of them. */
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DeskCall } from "../../desk/contract.ts";
import {
  CALL,
  type InMemoryDesk,
  InMemoryEventSource,
  inMemoryDeskOf,
} from "../../desk/testing/in-memory-desk.ts";
import { DeskPage } from "./DeskPage.tsx";

/** What was drawn, by its name: what each of them needs for its own words is counted. */
const drawn = vi.hoisted(() => ({ page: 0, duty: 0, note: 0, times: [] as string[], calls: [] as string[] }));

vi.mock(import("../../desk/desk-state.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    ownDuty: (...asked: Parameters<typeof real.ownDuty>) => {
      drawn.page++;
      return real.ownDuty(...asked);
    },
  };
});
vi.mock(import("../../desk/desk-words.ts"), async (original) => {
  const real = await original();
  return {
    ...real,
    dutyWords: (...asked: Parameters<typeof real.dutyWords>) => {
      drawn.duty++;
      return real.dutyWords(...asked);
    },
    elapsed: (...asked: Parameters<typeof real.elapsed>) => {
      drawn.times.push(asked[0]);
      return real.elapsed(...asked);
    },
    stageWords: (call: DeskCall) => {
      drawn.calls.push(call.callId);
      return real.stageWords(call);
    },
  };
});
vi.mock(import("./NoteWords.tsx"), async (original) => {
  const real = await original();
  return {
    ...real,
    NoteWords: (props: Parameters<typeof real.NoteWords>[0]) => {
      drawn.note++;
      return real.NoteWords(props);
    },
  };
});

/** The browser's word on what is in the window; until it is told, everything is. */
let sees: (rows: readonly (HTMLElement | undefined)[], isIntersecting: boolean) => void = () => {};
vi.stubGlobal(
  "IntersectionObserver",
  class {
    constructor(told: (entries: object[]) => void) {
      sees = (rows, isIntersecting) =>
        told(rows.map((row) => ({ target: row?.closest("li"), isIntersecting })));
    }
    observe() {}
    unobserve() {}
  },
);

const CALLS: DeskCall[] = Array.from({ length: 100 }, (_, i) => ({
  ...CALL,
  callId: `0f3b2c44-0000-4000-8000-${String(i).padStart(12, "0")}`,
  urgent: false,
  since: new Date(Date.parse(CALL.since) + i * 1000).toISOString(),
}));
const [FIRST, SECOND] = CALLS as [DeskCall, DeskCall];

let desk: InMemoryDesk;

async function openDesk() {
  window.history.replaceState(null, "", "/desk");
  desk = inMemoryDeskOf("supervisor", CALLS);
  render(<DeskPage />);
  await screen.findByRole("heading", { name: /Live calls/ });
  await desk.connect();
  expect(rows()).toHaveLength(100);
  forget();
}

/** Opened anew with a clock that tests turn. */
async function withClock(told: () => Promise<void>) {
  cleanup();
  vi.useFakeTimers({ shouldAdvanceTime: true, now: Date.parse(CALL.since) + 600_000 });
  try {
    await openDesk();
    await told();
  } finally {
    vi.useRealTimers();
  }
}
const pass = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1000));

beforeEach(openDesk);

const NOTHING = (): typeof drawn => ({ page: 0, duty: 0, note: 0, times: [], calls: [] });
const rows = () => [...screen.getByRole("list", { name: "Live calls" }).querySelectorAll("button")];
const forget = () => Object.assign(drawn, NOTHING());
const openFirst = async () => {
  await userEvent.click(rows()[0] as HTMLElement);
  await screen.findByText("Afraid of her husband");
  forget();
};

describe("of a hundred live calls", () => {
  it("one that stands otherwise is drawn again, alone", async () => {
    await desk.tell("call", { ...SECOND, state: "ringing" });
    expect(drawn.calls).toEqual([SECOND.callId]);
    expect(rows()[1]).toHaveTextContent("Ringing");
    expect(drawn.duty).toBe(0);
  });

  it("the page is told what is said in the one that is open, and in no other", async () => {
    const streams = () => InMemoryEventSource.streams.filter(({ closed }) => !closed).map(({ url }) => url);
    expect(streams()).toEqual(["/api/desk/events"]);
    await openFirst();
    expect(streams()).toEqual(["/api/desk/events", `/api/desk/live/${FIRST.callId}/events`]);
    await userEvent.click(rows()[1] as HTMLElement);
    expect(streams()).toEqual(["/api/desk/events", `/api/desk/live/${SECOND.callId}/events`]);
  });

  it("what is said in the open one draws no row, no note and no duty again", async () => {
    await openFirst();
    for (const [text, isFinal] of [
      ["I am", false],
      ["I am here", true],
    ] as const) {
      const said = { speaker: "caller", officer: null, text, at: 5, isFinal } as const;
      await desk.tellOfCall("caption", { callId: FIRST.callId, ...said });
    }
    expect(screen.getByText("I am here")).toBeInTheDocument();
    const once = new Set([FIRST.callId]);
    expect(drawn.calls.filter((id) => !once.has(id))).toEqual([]);
    expect([drawn.note, drawn.duty]).toEqual([0, 0]);
  });

  it("the open one is left alone when another stands otherwise", async () => {
    await openFirst();
    await desk.tell("call", { ...SECOND, state: "ringing" });
    expect(drawn.calls).toEqual([SECOND.callId]);
    expect([drawn.note, drawn.duty]).toEqual([0, 0]);
  });

  it("each ticks without being drawn again", () =>
    withClock(async () => {
      const before = rows().map((row) => row.textContent);
      await pass(3);
      expect(rows().filter((row, i) => row.textContent === before[i])).toEqual([]);
      const { times } = drawn;
      expect(new Set(times).size).toBe(100);
      expect(drawn).toEqual({ ...NOTHING(), times });
    }));

  it("those out of sight do not tick, and tell the time again when they are seen", () =>
    withClock(async () => {
      const [first, second, ...others] = rows();
      await act(async () => sees([first, ...others], false));
      const before = rows().map((row) => row.textContent);
      forget();
      await pass(5);
      const { times } = drawn;
      expect(new Set(times)).toEqual(new Set([SECOND.since]));
      expect(drawn).toEqual({ ...NOTHING(), times });
      expect(rows().filter((row, i) => row.textContent !== before[i])).toEqual([second]);
      await act(async () => sees([first], true));
      expect(first?.textContent).not.toBe(before[0]);
    }));

  it("one that becomes urgent comes before the others, and none of them is moved", async () => {
    const taken: Node[] = [];
    const put: Node[] = [];
    const watch = new MutationObserver((changes) => {
      for (const { addedNodes, removedNodes } of changes) {
        put.push(...addedNodes);
        taken.push(...removedNodes);
      }
    });
    watch.observe(screen.getByRole("list", { name: "Live calls" }), { childList: true });
    const last = rows().at(-1)?.closest("li");
    const call = { ...(CALLS.at(-1) as DeskCall), urgent: true };
    await desk.tell("call", call);
    await act(async () => {});
    watch.disconnect();
    expect(rows()[0]).toHaveTextContent("Urgent");
    // Which, not what they say: rows say the same.
    expect(taken.map((row) => row === last)).toEqual([true]);
    expect(put.map((row) => row === rows()[0]?.closest("li"))).toEqual([true]);
    expect(drawn.calls).toEqual([call.callId]);
  });
});

describe("a long call that is opened", () => {
  const said = (i: number) => ({
    speaker: "caller" as const,
    officer: null,
    text: `So it was, ${i}.`,
    at: i,
  });
  const lines = () =>
    [...screen.getByRole("log", { name: "Captions" }).querySelectorAll("li")].map((line) => line.textContent);

  it("shows what was said last, more of what was said before when that is asked for, and all that comes", async () => {
    const inside = desk.answers[`GET /live/${FIRST.callId}`];
    desk.answers[`GET /live/${FIRST.callId}`] = {
      ...inside,
      captions: Array.from({ length: 400 }, (_, i) => said(i)),
    };
    await openFirst();
    expect(await screen.findByText("So it was, 399.")).toBeInTheDocument();
    await waitFor(() => expect(lines()).toHaveLength(60));
    await userEvent.click(screen.getByRole("button", { name: "Show what was said before" }));
    expect(lines()).toHaveLength(120);
    expect(lines()[0]).toContain("So it was, 280.");
    await desk.tellOfCall("caption", { callId: FIRST.callId, ...said(400), isFinal: true });
    expect(lines()).toHaveLength(121);
    expect(lines().at(-1)).toContain("So it was, 400.");
  });

  it("offers nothing before its first words", async () => {
    await openFirst();
    expect(screen.queryByRole("button", { name: "Show what was said before" })).toBeNull();
  });
});

describe("the keys in the list of live calls", () => {
  it("lead down and up, to its ends and no further", async () => {
    rows()[0]?.focus();
    await userEvent.keyboard("{ArrowUp}");
    expect(rows()[0]).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}{ArrowDown}");
    expect(rows()[2]).toHaveFocus();
    await userEvent.keyboard("{End}{ArrowDown}");
    expect(rows()[99]).toHaveFocus();
    await userEvent.keyboard("{Home}");
    expect(rows()[0]).toHaveFocus();
  });

  it("open the call that they have led to", async () => {
    rows()[0]?.focus();
    await userEvent.keyboard("{ArrowDown}{Enter}");
    expect(rows()[1]).toHaveAttribute("aria-pressed", "true");
  });

  it("stay with their call when another comes before it", async () => {
    rows()[50]?.focus();
    await desk.tell("call", { ...(CALLS[99] as DeskCall), urgent: true });
    expect(rows()[51]).toHaveFocus();
  });

  it("stay with their call when it comes before the others itself", async () => {
    rows()[50]?.focus();
    await desk.tell("call", { ...(CALLS[50] as DeskCall), urgent: true });
    expect(rows()[0]).toHaveTextContent("Urgent");
    expect(rows()[0]).toHaveFocus();
  });

  it("go to no call that comes back after it was over", async () => {
    rows()[50]?.focus();
    const call = CALLS[50] as DeskCall;
    await desk.tell("call-over", { callId: call.callId });
    await desk.tell("call", call);
    expect(rows()[50]).not.toHaveFocus();
  });
});
