/** Calls that ring at the desk, the officer's line, and a supervisor's. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DeskCall } from "../../desk/contract.ts";
import {
  CALL,
  type InMemoryDesk,
  type InMemoryLine,
  inMemoryDeskOf,
  inMemoryLine,
  MEI,
} from "../../desk/testing/in-memory-desk.ts";
import { VoiceError } from "../../voice/voice-error.ts";
import { DeskPage } from "./DeskPage.tsx";

const ID = CALL.callId;
const RINGING = { callId: ID, agency: "PAVE", since: CALL.since, everyone: false };

let desk: InMemoryDesk;
let line: InMemoryLine;

beforeEach(() => {
  window.history.replaceState(null, "", "/desk");
  line = inMemoryLine();
});

/** The desk of somebody who is signed in and connected, and may go onto the line. */
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
