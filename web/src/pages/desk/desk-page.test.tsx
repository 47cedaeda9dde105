/** The desk's page, from signing in to signing out: calls that ring, the officer's line, every role, several nodes. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CallEvents, DeskCall } from "../../desk/contract.ts";
import {
  CALL,
  type InMemoryDesk,
  type InMemoryLine,
  inMemoryDesk,
  inMemoryDeskOf,
  inMemoryLine,
  MEI,
  signedAs,
} from "../../desk/testing/in-memory-desk.ts";
import { VoiceError } from "../../voice/voice-error.ts";
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

/** The desk of somebody who is signed in and connected. */
async function openDesk(role: "officer" | "supervisor" = "officer", calls: DeskCall[] = [CALL]) {
  desk = inMemoryDeskOf(role, calls);
  for (const act of ["accept", "decline", "ready", "leave", "take-over", "hold", "take-back"])
    desk.answers[`POST /calls/${ID}/${act}`] = null;
  render(<DeskPage parts={line} />);
  await screen.findByRole("heading", { name: /Live calls/ });
  await desk.connect();
}
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const ownLine = () => within(screen.getByRole("region", { name: "Your line" }));
const now = (more: Partial<DeskCall>) =>
  desk.tell("call", { ...CALL, officer: MEI.name, yours: true, ...more });

describe("signing in", () => {
  beforeEach(() => {
    desk = inMemoryDesk();
  });

  const fill = async () => {
    await userEvent.type(await screen.findByLabelText("Sign-in name"), " mei.tan ");
    await userEvent.type(screen.getByLabelText("Password"), "correct horse battery");
    await userEvent.type(screen.getByLabelText("Code"), "123 456");
    await userEvent.click(button("Sign in"));
  };

  it("takes a name, a password and a code, and opens the desk", async () => {
    Object.assign(desk.answers, {
      "POST /sign-in": { ...signedAs("officer"), recoveryCodes: 9 },
      "GET /live": { calls: [] },
      "GET /duty": { onDuty: false },
    });
    render(<DeskPage />);
    await fill();
    expect(await screen.findByText("Mei Tan")).toBeVisible();
    expect(desk.sent["POST /sign-in"]).toEqual({
      signInName: "mei.tan",
      password: "correct horse battery",
      code: "123456",
    });
  });

  it("says one thing when it is refused, and keeps what was typed", async () => {
    desk.answers["POST /sign-in"] = { refusal: [401, "sign-in-refused", "check all three"] };
    render(<DeskPage />);
    await fill();
    expect(await screen.findByRole("alert")).toHaveTextContent("Check all three.");
    expect(screen.getByLabelText("Sign-in name")).toHaveValue(" mei.tan ");
  });

  it("says how long to wait after too many tries", async () => {
    desk.answers["POST /sign-in"] = { refusal: [429, "rate-limited", "", 40] };
    render(<DeskPage />);
    await fill();
    expect(await screen.findByRole("alert")).toHaveTextContent("Try again in 40 seconds.");
  });

  it("can be filled in by the browser", async () => {
    render(<DeskPage />);
    expect(await screen.findByLabelText("Sign-in name")).toHaveAttribute("autocomplete", "username");
    expect(screen.getByLabelText("Password")).toHaveAttribute("autocomplete", "current-password");
    expect(screen.getByLabelText("Code")).toHaveAttribute("autocomplete", "one-time-code");
  });

  it("offers the organisation's own way in where there is one, and keeps the other", async () => {
    desk.answers["GET /provider"] = { provider: "Line Example" };
    desk.answers["POST /provider"] = { refusal: [503, "provider-unreachable"] };
    render(<DeskPage />);
    await press("Sign in with Line Example");
    expect(await screen.findByRole("alert")).toHaveTextContent("does not answer");
    expect(screen.getByLabelText("Password")).toBeEnabled();
  });

  it("says why somebody whom the provider sent back was not let in, once", async () => {
    window.history.replaceState(null, "", "/desk?provider=refused");
    render(<DeskPage />);
    expect(await screen.findByText(/You were not let in/)).toBeVisible();
    expect(window.location.search).toBe("");
  });

  it("says how a desk is set up where there is none", async () => {
    desk.answers["GET /me"] = { refusal: [404, "path-not-found"] };
    render(<DeskPage />);
    expect(await screen.findByRole("alert")).toHaveTextContent("nightlight desk add-officer");
  });
});

describe("an invitation", () => {
  beforeEach(() => {
    desk = inMemoryDesk();
    window.history.replaceState(null, "", `/desk#${TOKEN}`);
    desk.answers["POST /invitation"] = {
      name: "Mei Tan",
      signInName: "mei.tan",
      until: "2026-11-25T00:00:00Z",
      totpSecret: "JBSWY3DPEHPK3PXP",
      totpAddress: "otpauth://totp/Nightlight:mei.tan?secret=JBSWY3DPEHPK3PXP",
    };
  });

  it("is taken out of the address, and shows what the app needs", async () => {
    render(<DeskPage />);
    expect(window.location.hash).toBe("");
    await screen.findByRole("heading", { name: "Welcome to the duty desk, Mei Tan" });
    expect(desk.sent["POST /invitation"]).toEqual({ token: TOKEN });
    expect(screen.getByRole("img", { name: /QR picture/ })).toBeVisible();
    expect(screen.getByText("JBSW Y3DP EHPK 3PXP")).toBeVisible();
  });

  it("is accepted with a password and a first code; then the recovery codes are shown once", async () => {
    const codes = Array.from({ length: 10 }, (_, i) => `code-${i}`);
    desk.answers["POST /invitation/accept"] = { recoveryCodes: codes };
    render(<DeskPage />);
    await userEvent.type(await screen.findByLabelText("Password"), "a password of mine");
    await userEvent.type(screen.getByLabelText("Code"), "123456");
    await press("Set up my account");
    const shown = await screen.findByRole("list", { name: "Recovery codes" });
    expect(within(shown).getAllByRole("listitem")).toHaveLength(10);
    await press("I have kept them: sign in");
    expect(await screen.findByLabelText("Sign-in name")).toHaveValue("mei.tan");
    expect(screen.queryByText("code-1")).toBeNull();
  });

  it("asks for a longer password before it asks the server", async () => {
    render(<DeskPage />);
    await userEvent.type(await screen.findByLabelText("Password"), "short");
    await userEvent.type(screen.getByLabelText("Code"), "123456");
    await press("Set up my account");
    expect(screen.getByRole("alert")).toHaveTextContent("12 characters or more");
    expect(desk.asked).not.toContain("POST /invitation/accept");
  });

  it("says what to do when it is not good any more", async () => {
    desk.answers["POST /invitation"] = { refusal: [404, "invitation-not-found"] };
    render(<DeskPage />);
    expect(await screen.findByRole("alert")).toHaveTextContent("Ask an administrator to invite you again.");
  });
});

describe("a call that rings", () => {
  it("says for whom, and is announced", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    const card = within(screen.getByRole("region", { name: "A call is ringing for PAVE" }));
    expect(card.getByRole("heading", { name: "PAVE Integrated Services" })).toBeVisible();
    expect(screen.getByText("A call is ringing for PAVE.").closest("[aria-live]")).toHaveAttribute(
      "aria-live",
      "assertive",
    );
  });

  it("is accepted: the note and what was said are there, and the briefing is explained", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    expect(line.microphones).toBe(1);
    await now({ state: "accepted" });
    expect(ownLine().getByText("You hear a one-sentence briefing")).toBeVisible();
    expect(ownLine().getByText(/does not hear you yet/)).toBeVisible();
    expect(await screen.findByText("Afraid of her husband")).toBeVisible();
    expect(screen.getByRole("log", { name: "Captions" })).toHaveTextContent("He hit me");
    expect(screen.queryByRole("region", { name: /is ringing/ })).toBeNull();
  });

  it("becomes a talk, in which one is told to say hello until one is heard", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    await now({ state: "accepted" });
    await press("Put me through now");
    expect(desk.asked).toContain(`POST /calls/${ID}/ready`);
    await now({ state: "officer" });
    expect(ownLine().getByText("You are talking with the caller")).toBeVisible();
    expect(ownLine().getByText(/^Say hello now/)).toBeVisible();
    await desk.tellOfCall("caption", {
      callId: ID,
      speaker: "officer",
      officer: "Mei Tan",
      text: "Hello, I am Mei",
      at: 130,
      isFinal: true,
    });
    expect(ownLine().queryByText(/^Say hello now/)).toBeNull();
    await press("Mute");
    expect(ownLine().getByText("You are muted: the caller does not hear you.")).toBeVisible();
  });

  it("is ended only when that was asked for twice", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    await now({ state: "officer" });
    await press("End the call");
    expect(button("Go on talking")).toHaveFocus();
    expect(desk.asked).not.toContain(`POST /calls/${ID}/leave`);
    await press("End it now");
    expect(desk.asked).toContain(`POST /calls/${ID}/leave`);
    expect(await ownLine().findByText("The call is over")).toBeVisible();
  });

  it("that is left to a colleague who talks with the caller too is not told to be over", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    await now({ state: "officer" });
    await press("End the call");
    await press("End it now");
    await now({ state: "officer", officer: "Farid Rahman", yours: false });
    expect(await ownLine().findByText("Farid Rahman has this call now.")).toBeVisible();
    expect(ownLine().queryByText("The call is over")).toBeNull();
  });

  it("is answered by keys, unless somebody is typing or has turned the keys off", async () => {
    await openDesk();
    desk.answers["GET /duty"] = { onDuty: true };
    await desk.connect();
    await desk.tell("ringing", RINGING);
    await userEvent.click(await screen.findByRole("checkbox", { name: "Answer with the keys A and D" }));
    await userEvent.keyboard("d");
    expect(desk.asked).not.toContain(`POST /calls/${ID}/decline`);
    await userEvent.click(screen.getByRole("checkbox", { name: "Answer with the keys A and D" }));
    await userEvent.keyboard("d");
    await waitFor(() => expect(desk.asked).toContain(`POST /calls/${ID}/decline`));
    expect(screen.queryByRole("region", { name: /is ringing/ })).toBeNull();
  });

  it("says who was first", async () => {
    await openDesk();
    desk.answers[`POST /calls/${ID}/accept`] = {
      refusal: [409, "call-taken", "Farid Rahman has taken this call"],
    };
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    expect(await ownLine().findByText("Farid Rahman has taken this call.")).toBeVisible();
    expect(line.transport.joined).toBe(false);
  });

  it("goes when a colleague takes it, and says who", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await desk.tell("ringing-over", { callId: ID, takenBy: "Farid Rahman", yours: false });
    expect(screen.queryByRole("region", { name: /is ringing/ })).toBeNull();
    expect(screen.getByText("Farid Rahman has taken the call for PAVE.")).toBeVisible();
  });

  it("tells the system for whom it is, and nothing else", async () => {
    const notices: string[][] = [];
    class Notice {
      static permission = "granted";
      constructor(title: string, options: NotificationOptions) {
        notices.push([title, options.body ?? ""]);
      }
      close() {}
    }
    vi.stubGlobal("Notification", Notice);
    await openDesk();
    await desk.tell("ringing", RINGING);
    expect(notices).toEqual([["A call is ringing for PAVE", ""]]);
    vi.unstubAllGlobals();
  });
});

describe("an officer's line", () => {
  it("can be given back while one is briefed, and says where the caller is", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    await now({ state: "accepted" });
    await press("Give the call back");
    await desk.tell("call", { ...CALL, state: "ringing" });
    expect(ownLine().getByText("You have given the call back")).toBeVisible();
    expect(ownLine().getByText(/colleagues are being rung/)).toBeVisible();
    await press("Put away");
    expect(screen.queryByRole("region", { name: "Your line" })).toBeNull();
  });

  it("puts the caller on hold and takes them back, by one button that keeps the focus", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    await now({ state: "officer" });
    await desk.tellOfCall("caption", {
      callId: ID,
      speaker: "officer",
      officer: "Mei Tan",
      text: "Hello, I am Mei",
      at: 130,
      isFinal: true,
    });
    button("Put the caller on hold").focus();
    await userEvent.keyboard("{Enter}");
    expect(desk.asked).toContain(`POST /calls/${ID}/hold`);
    await now({ state: "on-hold" });
    expect(ownLine().getByRole("status")).toHaveTextContent(/^The caller is on hold/);
    expect(ownLine().getByText(/they hear nothing of you/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "End the call" })).toBeNull();
    await now({ state: "on-hold", holdEndsAt: "2026-11-24T18:04:00Z" });
    expect(ownLine().getByRole("status")).toHaveTextContent(/In half a minute the caller is back/);
    expect(button("Take the caller back")).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    expect(desk.asked).toContain(`POST /calls/${ID}/take-back`);
    await now({ state: "officer", since: "2026-11-24T18:04:00Z" });
    expect(ownLine().getByText("You are talking with the caller")).toBeVisible();
    expect(ownLine().getByText(/^Say hello now/)).toBeVisible();
    expect(button("Put the caller on hold")).toHaveFocus();
  });

  it("says when a caller could not be put on hold, and is given back from a hold when that was asked for twice", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    await now({ state: "officer" });
    desk.answers[`POST /calls/${ID}/hold`] = { refusal: [404, "call-not-found"] };
    await press("Put the caller on hold");
    expect(await ownLine().findByRole("alert")).toBeVisible();
    await now({ state: "on-hold" });
    await press("Give the call back");
    expect(desk.asked).not.toContain(`POST /calls/${ID}/leave`);
    await press("Give it back");
    await desk.tell("call", CALL);
    expect(ownLine().getByText("You have given the call back")).toBeVisible();
    expect(ownLine().getByText("The assistant is with the caller.")).toBeVisible();
  });

  it("that is lost says so, and that the assistant is with the caller", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    await now({ state: "officer" });
    await act(async () => line.transport.listener?.left("lost"));
    await desk.tell("call", CALL);
    expect(ownLine().getByText("You are not on the call any more")).toBeVisible();
    expect(ownLine().getByText(/The assistant is with the caller again/)).toBeVisible();
  });

  it("that was lost as its call was to be ended is gone, and ended nothing", async () => {
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    await now({ state: "officer" });
    desk.answers[`POST /calls/${ID}/leave`] = { refusal: [404, "call-not-found"] };
    await press("End the call");
    await press("End it now");
    await desk.tell("call", CALL);
    expect(await ownLine().findByText("You are not on the call any more")).toBeVisible();
    expect(ownLine().getByText(/The assistant is with the caller again/)).toBeVisible();
    expect(line.transport.letGoOf).toBe(1);
  });

  it("that cannot be made says what to do", async () => {
    line.openMicrophone = () => Promise.reject(new VoiceError("microphone-refused", ""));
    await openDesk();
    await desk.tell("ringing", RINGING);
    await press(/^Accept/);
    expect(await ownLine().findByText(/does not allow the microphone/)).toBeVisible();
  });
});

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
    await openDesk("officer");
    await press(/PAVE/);
    await screen.findByText("Afraid of her husband");
    expect(screen.queryByRole("button", { name: "Listen" })).toBeNull();
  });
});

describe("a supervisor", () => {
  it("listens without a microphone, and takes over with one when that was asked for twice", async () => {
    await openDesk("supervisor");
    await press(/PAVE/);
    await press("Listen");
    expect(await screen.findByText("You are listening")).toBeVisible();
    expect(line.transport.url).toMatch(/\/listening$/);
    expect(line.microphones).toBe(0);
    await press("Take over");
    await press("Take it over");
    await waitFor(() => expect(desk.asked).toContain(`POST /calls/${ID}/take-over`));
    expect(line.voiceLetIn).toBe(true);
    await now({ state: "officer" });
    expect(ownLine().getByText("You are talking with the caller")).toBeVisible();
  });

  it("whose line was lost as they were to take over is off the call, and took nothing over", async () => {
    await openDesk("supervisor");
    desk.answers[`POST /calls/${ID}/take-over`] = { refusal: [404, "call-not-found"] };
    await press(/PAVE/);
    await press("Listen");
    await press("Take over");
    await press("Take it over");
    expect(await ownLine().findByText("You are not on the call any more")).toBeVisible();
    expect(ownLine().queryByRole("button", { name: "Mute" })).toBeNull();
    expect(line.transport.letGoOf).toBe(1);
  });

  it("stops listening at once, and says so for the record also where that is not answered", async () => {
    await openDesk("supervisor");
    desk.answers[`POST /calls/${ID}/leave`] = { refusal: [503, "records-unavailable"] };
    await press(/PAVE/);
    await press("Listen");
    await press("Stop listening");
    expect(desk.asked).toContain(`POST /calls/${ID}/leave`);
    expect(screen.queryByRole("region", { name: "Your line" })).toBeNull();
  });

  it("is on the line until the server knows that it stops listening", async () => {
    await openDesk("supervisor");
    let letGoBefore: number | null = null;
    Object.defineProperty(desk.answers, `POST /calls/${ID}/leave`, {
      get: () => {
        letGoBefore = line.transport.letGoOf;
        return null;
      },
    });
    await press(/PAVE/);
    await press("Listen");
    await press("Stop listening");
    await waitFor(() => expect(line.transport.letGoOf).toBe(1));
    expect(letGoBefore).toBe(0);
  });

  it("coaches the officer on a call", async () => {
    await openDesk("supervisor", [{ ...CALL, state: "officer", officer: "Joan Ong" }]);
    await press(/PAVE/);
    await press("Coach");
    expect(await screen.findByText("The officer hears you. The caller does not.")).toBeVisible();
    expect(line.transport.url).toMatch(/\/coaching$/);
    await desk.tell("call", { ...CALL, state: "on-hold", officer: "Joan Ong" });
    expect(ownLine().getByText(/you and the officer hear each other/)).toBeVisible();
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

describe("a supervisor's hint", () => {
  const HINTS = [
    { code: "ask-where", label: "Ask where they are" },
    { code: "slow-down", label: "Slow down, with a breath" },
  ];

  it("is one of the list, and goes to the assistant while it has the caller", async () => {
    await openDesk("supervisor");
    desk.answers["GET /hints"] = { hints: HINTS };
    desk.answers[`POST /calls/${ID}/hint`] = null;
    await press(/PAVE/);
    const shown = within(await screen.findByRole("article"));
    expect(shown.getByText("With the assistant, finding out what is wrong")).toBeVisible();
    await userEvent.selectOptions(
      await screen.findByLabelText("Whisper to the assistant"),
      "Ask where they are",
    );
    await press("Whisper");
    expect(await screen.findByText(/takes it up after the caller’s next words/)).toBeVisible();
    expect(desk.sent[`POST /calls/${ID}/hint`]).toEqual({ hint: "ask-where" });
    await desk.tell("call", { ...CALL, state: "officer", officer: "Joan Ong" });
    expect(screen.queryByLabelText("Whisper to the assistant")).toBeNull();
  });

  it("is not offered where there is none to give, nor to officers", async () => {
    await openDesk("officer");
    await press(/PAVE/);
    await screen.findByText("Afraid of her husband");
    expect(desk.asked).not.toContain("GET /hints");
    expect(screen.queryByLabelText("Whisper to the assistant")).toBeNull();
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
