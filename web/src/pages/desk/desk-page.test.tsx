/** The desk's page: the live calls and their words, being on duty, several nodes, other roles. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CallEvents, DeskCall } from "../../desk/contract.ts";
import {
  CALL,
  type InMemoryDesk,
  type InMemoryLine,
  inMemoryDeskOf,
  inMemoryLine,
  MEI,
  signedAs,
} from "../../desk/testing/in-memory-desk.ts";
import { DeskPage } from "./DeskPage.tsx";

const ID = CALL.callId;
const RINGING = { callId: ID, agency: "PAVE", since: CALL.since, everyone: false };
const TOKEN = "0123456789abcdef".repeat(4);

let desk: InMemoryDesk;
let line: InMemoryLine;

beforeEach(() => {
  window.history.replaceState(null, "", "/desk");
  line = inMemoryLine();
});

/** The desk of an officer who is signed in and connected. */
async function openDesk() {
  desk = inMemoryDeskOf("officer", [CALL]);
  render(<DeskPage parts={line} />);
  await screen.findByRole("heading", { name: /Live calls/ });
  await desk.connect();
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const now = (more: Partial<DeskCall>) =>
  desk.tell("call", { ...CALL, officer: MEI.name, yours: true, ...more });

describe("the desk", () => {
  it("asks again for what could not be read", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      desk = inMemoryDeskOf("officer", [CALL]);
      const calls = desk.answers["GET /live"] ?? null;
      desk.answers["GET /live"] = { refusal: [503, "records-unavailable"] };
      render(<DeskPage parts={line} />);
      await screen.findByText("Reading the live calls");
      await desk.connect();
      desk.answers["GET /live"] = calls;
      await act(() => vi.advanceTimersByTimeAsync(2_000));
      expect(await screen.findByText("PAVE Integrated Services")).toBeVisible();
    } finally {
      vi.useRealTimers();
    }
  });

  it("lists the live calls with how they stand, and none where there is none", async () => {
    await openDesk();
    const row = within(screen.getByRole("list", { name: "Live calls" })).getByRole("button");
    expect(row).toHaveTextContent("PAVE Integrated Services");
    expect(row).toHaveTextContent("With the assistant");
    expect(row).toHaveTextContent("Urgent");
    await desk.tell("call-over", { callId: ID });
    expect(screen.getByText("Nobody is calling now.")).toBeVisible();
  });

  it("says what being on duty does, and asks for nothing before that", async () => {
    const asked = vi.fn(async () => "granted");
    vi.stubGlobal("Notification", { permission: "default", requestPermission: asked });
    await openDesk();
    expect(screen.getByText("Off duty: your desk does not ring.")).toBeVisible();
    expect(asked).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole("switch", { name: "On duty" }));
    expect(await screen.findByText("On duty: your desk rings for calls to PAVE.")).toBeVisible();
    expect(desk.sent["PUT /duty"]).toEqual({ onDuty: true });
    await waitFor(() => expect(asked).toHaveBeenCalledOnce());
    vi.unstubAllGlobals();
  });

  it("says when nothing rings, because it is not connected", async () => {
    await openDesk();
    await act(async () => desk.events().break());
    expect(await screen.findByText("Not connected: calls do not ring here. Trying again.")).toBeVisible();
  });

  it("keeps a call that nobody reached in view until it is put away", async () => {
    await openDesk();
    await desk.tell("unreached", { callId: ID, agency: "PAVE", why: "nobody-answered" });
    expect(screen.getByText(/Nobody reached the call for PAVE/)).toBeVisible();
    expect(screen.getByText("Nobody answered in time.")).toBeVisible();
    await press("Put away");
    expect(screen.queryByText(/Nobody reached the call/)).toBeNull();
  });

  it("reads a call's words when it is chosen, and shows those that come", async () => {
    await openDesk();
    expect(desk.asked).not.toContain(`GET /live/${ID}/events`);
    await press(/PAVE/);
    expect(await screen.findByText("Violence now", { exact: false })).toBeInTheDocument();
    const said = { callId: ID, speaker: "assistant", officer: null, at: 9 } as const;
    await desk.tellOfCall("caption", { ...said, text: "Are you", isFinal: false });
    const lines = () => within(screen.getByRole("log", { name: "Captions" })).getAllByRole("listitem");
    expect(lines()).toHaveLength(2);
    expect(lines().at(-1)).toHaveTextContent("Are you");
    await desk.tellOfCall("caption", { ...said, text: "Are you safe now?", isFinal: true });
    expect(lines()).toHaveLength(2);
    expect(lines().at(-1)).toHaveTextContent("Are you safe now?");
  });

  it("names each officer who speaks in a call, and says officer of one whose name is not known", async () => {
    await openDesk();
    await press(/PAVE/);
    await screen.findByText("Afraid of her husband");
    for (const [at, officer] of ["Mei Tan", "Ravi Kumar", null].entries()) {
      const said = { speaker: "officer", officer, text: "I am here", at: 130 + at } as const;
      await desk.tellOfCall("caption", { callId: ID, ...said, isFinal: true });
    }
    const lines = within(screen.getByRole("log", { name: "Captions" })).getAllByRole("listitem");
    expect(lines.slice(-3).map((line) => line.textContent)).toEqual([
      "Officer Mei Tan 2:10I am here",
      "Officer Ravi Kumar 2:11I am here",
      "Officer 2:12I am here",
    ]);
  });

  it("shows what is found in a call as it is found, without reading the call again", async () => {
    await openDesk();
    await press(/PAVE/);
    await screen.findByText("Afraid of her husband");
    const note = {
      summaryTitle: "In danger at home",
      summary: "He has a knife.",
      structuredData: { location: "Toa Payoh" },
    } as CallEvents["note"]["note"];
    const signals = [{ claim: "weapon", words: "he has a knife" }];
    await desk.tellOfCall("note", { callId: ID, note, signals });
    expect(screen.getByText("In danger at home")).toBeVisible();
    expect(screen.getByText("he has a knife")).toBeVisible();
    expect(desk.asked.filter((asked) => asked.startsWith("GET /live/"))).toEqual([`GET /live/${ID}/events`]);
  });

  it("says why a call cannot be read, and reads it when it has become one's own", async () => {
    await openDesk();
    const answer = desk.answers[`GET /live/${ID}`] as object;
    desk.answers[`GET /live/${ID}`] = { refusal: [404, "call-not-found"] };
    await press(/PAVE/);
    await waitFor(() => expect(desk.asked).toContain(`GET /live/${ID}`));
    expect(screen.queryByText("Afraid of her husband")).toBeNull();
    desk.answers[`GET /live/${ID}`] = answer;
    await now({ state: "accepted" });
    expect(await screen.findByText("Afraid of her husband")).toBeVisible();
  });

  it("closes a call's stream with the call, and keeps what was read of one that is over", async () => {
    await openDesk();
    await press(/PAVE/);
    await screen.findByText("Afraid of her husband");
    const stream = desk.callEvents();
    await desk.tell("call-over", { callId: ID });
    await desk.tellOfCall("over", { callId: ID });
    expect(stream.closed).toBe(true);
    expect(screen.getByText("This call is over.")).toBeVisible();
    expect(screen.getByText("Afraid of her husband")).toBeVisible();
    await press("Close");
    expect(() => desk.callEvents()).toThrow();
  });

  it("holds no way onto a line for those who may not", async () => {
    await openDesk();
    await press(/PAVE/);
    await screen.findByText("Afraid of her husband");
    expect(screen.queryByRole("button", { name: "Listen" })).toBeNull();
  });
});

describe("a desk with several nodes", () => {
  /** Both tell; the call is at B. */
  async function openAtTwo() {
    desk = inMemoryDeskOf("officer");
    desk.answers["GET /nodes"] = { here: "a", nodes: ["a", "b"] };
    for (const node of ["a", "b"]) {
      const calls = node === "b" ? [CALL] : [];
      desk.answers[`GET /node/${node}/api/desk/live`] = { calls };
      desk.answers[`GET /node/${node}/api/desk/duty`] = { onDuty: false };
      desk.answers[`PUT /node/${node}/api/desk/duty`] = { onDuty: true };
      desk.answers[`GET /node/${node}/api/desk/me`] = signedAs("officer");
    }
    desk.answers[`POST /node/b/api/desk/calls/${ID}/accept`] = null;
    desk.answers[`GET /node/b/api/desk/live/${ID}`] = { call: CALL, note: null, signals: [], captions: [] };
    render(<DeskPage parts={line} />);
    await screen.findByRole("heading", { name: /Live calls/ });
    for (const node of ["a", "b"]) await act(async () => desk.events(node).open());
  }
  const said = (node: string) => desk.sent[`PUT /node/${node}/api/desk/duty`];

  it("shows the calls of all, and asks the one that has a call", async () => {
    await openAtTwo();
    await act(async () => desk.events("b").tell("ringing", RINGING));
    await press(/^Accept/);
    await waitFor(() => expect(desk.asked).toContain(`POST /node/b/api/desk/calls/${ID}/accept`));
    await waitFor(() => expect(line.transport.url).toMatch(/\/node\/b\/api\/desk\/calls\/[^/]+\/line$/));
    await waitFor(() => expect(desk.asked).toContain(`GET /node/b/api/desk/live/${ID}/events`));
  });

  it("tells each that one is on duty, and the others when one is on a call", async () => {
    await openAtTwo();
    await userEvent.click(screen.getByRole("switch", { name: "On duty" }));
    await waitFor(() => expect(said("b")).toEqual({ onDuty: true }));
    expect(said("a")).toEqual({ onDuty: true });
    const mine = { ...CALL, officer: MEI.name, yours: true, state: "officer" } as const;
    await act(async () => desk.events("b").tell("call", mine));
    await waitFor(() => expect(said("a")).toEqual({ onDuty: true, busy: true }));
    expect(said("b")).toEqual({ onDuty: true });
    const until = new Date(Date.now() + 60_000).toISOString();
    await act(async () => desk.events("b").tell("duty", { onDuty: true, wrapUpUntil: until }));
    await act(async () => desk.events("b").tell("call-over", { callId: ID }));
    await waitFor(() => expect(said("a")).toEqual({ onDuty: true, wrapUpUntil: until }));
    expect(said("b")).toEqual({ onDuty: true });
  });

  it("tells one that comes later what it cannot know", async () => {
    await openAtTwo();
    await userEvent.click(screen.getByRole("switch", { name: "On duty" }));
    await waitFor(() => expect(said("b")).toEqual({ onDuty: true }));
    delete desk.sent["PUT /node/b/api/desk/duty"];
    // It was started again, and has forgotten.
    await act(async () => desk.events("b").open());
    await waitFor(() => expect(said("b")).toEqual({ onDuty: true }));
  });

  it("goes on while one is away, and says so only if that lasts", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      await openAtTwo();
      desk.answers["GET /node/b/api/desk/me"] = { refusal: [502, ""] };
      await act(async () => desk.events("b").break());
      const words = /A part of the line cannot be reached/;
      await act(() => vi.advanceTimersByTimeAsync(10_000));
      expect(screen.queryByText(words)).toBeNull();
      expect(screen.queryByText(/Not connected/)).toBeNull();
      await act(async () => desk.events("a").tell("ringing", { ...RINGING, callId: "other" }));
      expect(screen.getByRole("region", { name: /is ringing/ })).toBeVisible();
      await act(() => vi.advanceTimersByTimeAsync(15_000));
      expect(screen.getByText(words)).toBeVisible();
    } finally {
      vi.useRealTimers();
    }
  });

  it("puts one off duty at each before one signs out", async () => {
    await openAtTwo();
    desk.answers["GET /node/b/api/desk/duty"] = { onDuty: true };
    desk.answers["POST /sign-out"] = null;
    desk.answers["GET /me"] = { refusal: [401, "not-signed-in"] };
    await press("Sign out");
    expect(await screen.findByRole("heading", { name: "Sign in to the duty desk" })).toBeVisible();
    expect([said("a"), said("b")]).toEqual([undefined, { onDuty: false }]);
  });
});

describe("other roles", () => {
  it("an administrator invites somebody, and is given the link once", async () => {
    desk = inMemoryDeskOf("administrator");
    desk.answers["GET /accounts"] = { accounts: [MEI] };
    desk.answers["POST /accounts"] = {
      account: { ...MEI, name: "Joan Ong" },
      token: TOKEN,
      until: "2026-11-25T00:00:00Z",
    };
    render(<DeskPage />);
    await press("Invite somebody");
    await userEvent.type(screen.getByLabelText("Name"), "Joan Ong");
    await userEvent.type(screen.getByLabelText("Sign-in name"), "joan.ong");
    await userEvent.click(screen.getByRole("checkbox", { name: "PAVE Integrated Services" }));
    await press("Make the invitation");
    expect(await screen.findByLabelText("Invitation link")).toHaveValue(
      `${window.location.origin}/desk#${TOKEN}`,
    );
    expect(desk.sent["POST /accounts"]).toEqual({
      name: "Joan Ong",
      signInName: "joan.ong",
      role: "officer",
      agencies: ["PAVE"],
      languages: ["en"],
    });
    await press("I have handed it over");
    expect(screen.queryByLabelText("Invitation link")).toBeNull();
  });

  it("an account is closed only when that was asked for twice", async () => {
    desk = inMemoryDeskOf("administrator");
    desk.answers["GET /accounts"] = { accounts: [MEI] };
    desk.answers[`DELETE /accounts/${MEI.id}`] = null;
    render(<DeskPage />);
    await press("Close account");
    expect(desk.asked).not.toContain(`DELETE /accounts/${MEI.id}`);
    await press("Close it");
    await waitFor(() => expect(desk.asked).toContain(`DELETE /accounts/${MEI.id}`));
  });

  it("an auditor reads the trail, and older entries on demand", async () => {
    desk = inMemoryDeskOf("auditor");
    const entry = {
      number: 7,
      at: "2026-11-24T18:00:00Z",
      who: "command line",
      what: "shift taken",
      about: null,
    };
    desk.answers["GET /audit"] = { entries: [entry], next: 7 };
    render(<DeskPage />);
    expect(await screen.findByText("shift taken")).toBeVisible();
    desk.answers["GET /audit"] = { entries: [{ ...entry, number: 6, what: "signed in" }], next: null };
    await press("Older entries");
    expect(await screen.findByText("signed in")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Older entries" })).toBeNull();
  });

  it("signing out leads to the sign-in", async () => {
    await openDesk();
    desk.answers["POST /sign-out"] = null;
    desk.answers["GET /me"] = { refusal: [401, "not-signed-in"] };
    await press("Sign out");
    expect(await screen.findByRole("heading", { name: "Sign in to the duty desk" })).toBeVisible();
    expect(screen.queryByText("PAVE Integrated Services")).toBeNull();
  });
});
