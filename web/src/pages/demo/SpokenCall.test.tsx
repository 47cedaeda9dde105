/** A call on `/Demo` from before the button is pressed until its note is there, and what can go wrong with it. */
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { shownNotice } from "../../call/notice.ts";
import { type InMemoryCall, inMemoryCall, refusedBy } from "../../voice/testing/in-memory-call.ts";
import {
  callUnderWay,
  cellsOf,
  HOSTED_CONFIG,
  opened,
  row,
  server,
  showPage,
  textOf,
  URGENT,
  withTestServer,
} from "./testing/shown-page.tsx";

withTestServer();

describe("a call", () => {
  it("stands in the history at once, on top, as ongoing", async () => {
    await callUnderWay();
    expect(screen.getByRole("button", { name: "End Call" })).toBeVisible();
    expect(screen.getByText("Connected to Nightlight")).toBeVisible();
    expect(screen.getByText("Assistant is listening")).toBeVisible();
    const cells = cellsOf(await row(1)).map(textOf);
    expect([cells[0], cells[2], cells[4], cells[8]]).toEqual(["11", "Ongoing", "0:00", "Active Call"]);
  });

  it("is begun under what was told beside the button, and says so", async () => {
    server.answers["/api/config"] = { ...(server.answers["/api/config"] as object), recordsKeptDays: 7 };
    const call = await showPage();
    expect(
      await screen.findByText(/kept in writing for up to 7 days .* stated reason.* duty team can read it/),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Talk to Nightlight" }));
    const variableValues = { agency: "", notice: shownNotice(7) };
    await waitFor(() =>
      expect(call.parts.createCall).toHaveBeenCalledWith(
        expect.objectContaining({ assistantOverrides: { variableValues } }),
        expect.anything(),
      ),
    );
  });

  it("that the hosted platform is to hold is begun under other words, and for who answers there", async () => {
    server.answers["/api/config"] = HOSTED_CONFIG;
    const call = await showPage();
    expect(await screen.findByText(/Another company’s voice service carries this call/)).toBeVisible();
    expect(screen.queryByText(/Sound is not kept/)).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Talk to Nightlight" }));
    const variableValues = { agency: "", notice: shownNotice(30, true) };
    await waitFor(() =>
      expect(call.parts.createCall).toHaveBeenCalledWith(
        { squad: "squad-1", assistantOverrides: { variableValues } },
        expect.anything(),
      ),
    );
  });

  it("that cannot reach the hosted platform leads to the numbers and to writing", async () => {
    server.answers["/api/config"] = HOSTED_CONFIG;
    const call = inMemoryCall();
    call.first.refuses = refusedBy("platform-unreachable");
    await showPage(call);
    await userEvent.click(screen.getByRole("button", { name: "Talk to Nightlight" }));
    const notice = await screen.findByRole("alert");
    expect(within(notice).getByRole("heading")).toHaveTextContent("The call could not be placed");
    expect(within(notice).getByRole("link", { name: /^1767 / })).toBeVisible();
    expect(screen.getByRole("button", { name: "Write instead" })).toBeVisible();
  });

  it("cannot be pressed while it connects", async () => {
    const call = await showPage();
    await userEvent.click(screen.getByRole("button", { name: "Talk to Nightlight" }));
    expect(screen.getByRole("button", { name: "Connecting..." })).toHaveAttribute("aria-disabled", "true");
    expect(screen.getByText("Connecting to Nightlight")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Connecting..." }));
    expect(call.parts.createCall).toHaveBeenCalledTimes(1);
  });

  it("shows captions of both sides", async () => {
    const call = await callUnderWay();
    const say = (role: string, transcriptType: string, transcript: string) =>
      act(async () =>
        call.first.listener?.message(
          JSON.stringify({ type: "transcript", role, transcriptType, transcript }),
        ),
      );
    await say("assistant", "final", "Are you safe?");
    await say("user", "partial", "my");
    await say("user", "final", "My husband hit me.");
    const captions = within(screen.getByRole("log", { name: "Live captions" }));
    expect(captions.getAllByRole("listitem").map((item) => item.textContent)).toEqual([
      "NightlightAre you safe?",
      "YouMy husband hit me.",
    ]);
  });

  it("mutes and unmutes", async () => {
    const call = await callUnderWay();
    await userEvent.click(screen.getByRole("button", { name: "Mute" }));
    expect(call.microphone.muted).toBe(true);
    expect(screen.getByRole("button", { name: "Mute", pressed: true })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Mute" }));
    expect(call.microphone.muted).toBe(false);
  });

  it("is filled as soon as the server pushes its note", async () => {
    await callUnderWay();
    await act(async () => server.push({ ...URGENT, id: 12, callId: "call-1" }));
    await waitFor(async () => {
      const cells = cellsOf(await row(1)).map(textOf);
      expect([cells[0], cells[2], cells[6]]).toEqual(["12", "Completed", "SPF"]);
    });
  });

  it("is filled by the fetch ten seconds after its end", async () => {
    await callUnderWay();
    server.answers["/api/getCallInfo"] = { ...URGENT, callId: "call-1" };
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const press = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await press.click(screen.getByRole("button", { name: "End Call" }));
    expect(screen.getByRole("button", { name: "Talk to Nightlight" })).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(9000));
    expect(textOf(cellsOf(await row(1))[2] as HTMLElement)).toBe("Ongoing");
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(textOf(cellsOf(await row(1))[2] as HTMLElement)).toBe("Completed");
  });

  it("leaves the history when that fetch fails", async () => {
    await callUnderWay();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const press = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await press.click(screen.getByRole("button", { name: "End Call" }));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(textOf(cellsOf(await row(1))[0] as HTMLElement)).toBe("10");
    expect(console.error).toHaveBeenCalledWith("Error fetching call info", expect.anything());
  });
});

describe("the end of a call", () => {
  const told = (call: InMemoryCall, ...messages: object[]) =>
    act(async () => {
      for (const message of messages) call.first.listener?.message(JSON.stringify(message));
      call.first.listener?.left("closed");
    });
  const ended = (endedReason: string) => ({ type: "status-update", status: "ended", endedReason });
  const transfer = (description: string) => ({
    type: "transfer-update",
    destination: { type: "assistant", assistantName: "Authorities", description },
  });

  it("by a warm transfer says to whom at once, that nobody was dialled, and leads to their number", async () => {
    const call = await callUnderWay();
    await told(call, transfer("SPF"), ended("assistant-forwarded-call"));
    const title = screen.getByRole("heading", {
      level: 1,
      name: "Handed over to the Singapore Police Force (SPF)",
    });
    expect(title).toHaveFocus();
    expect(screen.getByText(/nobody was dialled: please ring them yourself/)).toBeVisible();
    expect(screen.getByRole("link", { name: "Ring 999 Police, day and night" })).toHaveAttribute(
      "href",
      "tel:999",
    );
    expect(screen.getByRole("button", { name: "Talk to Nightlight" })).toBeVisible();
    expect(screen.queryByText("Your call")).toBeNull();
  });

  it("names the note as soon as it is there, and opens it", async () => {
    const call = await callUnderWay();
    await told(call, transfer("SPF"), ended("assistant-forwarded-call"));
    const note = within(screen.getByRole("region", { name: "What was written down" }));
    expect(note.getByText("The note is being written.")).toBeVisible();
    await act(async () => server.push({ ...URGENT, id: 12, callId: "call-1" }));
    expect(await note.findByText("Caller in immediate danger from her partner")).toBeVisible();
    await userEvent.click(note.getByRole("button", { name: "Open the case note" }));
    expect(await screen.findByRole("dialog", { name: "Call Log" })).toHaveTextContent("Caller is afraid.");
  });

  it("by a goodbye speaks of a counsellor only once a consent is known", async () => {
    const call = await callUnderWay();
    await told(call, ended("assistant-ended-call"));
    expect(screen.getByRole("heading", { level: 1, name: "The call has ended" })).toBeVisible();
    expect(screen.queryByText(/counsellor/)).toBeNull();
    const cold = { ...URGENT, callId: "call-1", endedReason: "assistant-ended-call" };
    const facts = { urgent: false, transfer_to: "CPS", transferred: true } as const;
    await act(async () => server.push({ ...cold, structuredData: facts }));
    expect(await screen.findByText(/within the next working day/)).toBeVisible();
    expect(
      screen.getByRole("heading", { level: 1, name: "Your case is for the Child Protective Service (CPS)" }),
    ).toBeVisible();
  });

  it("by the caller leaves the focus where it was pressed", async () => {
    await callUnderWay();
    await userEvent.click(screen.getByRole("button", { name: "End Call" }));
    expect(screen.getByRole("heading", { level: 1, name: "You ended the call" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Talk to Nightlight" })).toHaveFocus();
  });

  it("does not take the focus from whoever reads the records meanwhile", async () => {
    const call = await callUnderWay();
    await userEvent.click(screen.getByRole("searchbox", { name: "Search" }));
    await told(call, ended("silence-timed-out"));
    expect(screen.getByRole("searchbox", { name: "Search" })).toHaveFocus();
    expect(screen.getByRole("link", { name: /^Text 70999/ })).toBeVisible();
  });

  it("keeps the words of the call, and the numbers in them can be rung", async () => {
    const call = await callUnderWay();
    const words = "For tonight: Samaritans are on 1767. Block 999 is your address.";
    await told(
      call,
      { type: "transcript", role: "assistant", transcriptType: "final", transcript: words },
      { type: "transcript", role: "user", transcriptType: "final", transcript: "I rang 1767." },
      ended("assistant-ended-call"),
    );
    await userEvent.click(screen.getByText("What was said"));
    const said = within(screen.getByRole("log", { name: "Live captions" }));
    expect(said.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["1767", "tel:1767"],
    ]);
  });

  it("without a record to be had says so, also where the line was lost", async () => {
    const call = await callUnderWay();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    call.first.refuses = refusedBy("call-refused");
    await act(async () => {
      call.first.listener?.left("lost");
      await vi.advanceTimersByTimeAsync(0);
    });
    expect(screen.getByRole("heading", { level: 1, name: "The call was cut off" })).toBeVisible();
    expect(screen.getByText("The note is being written.")).toBeVisible();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    // The refusal is told by a timer of its own, after the one that asked.
    expect(await screen.findByText("The note could not be fetched.")).toBeVisible();
  });
});

describe("the microphone check", () => {
  it("hears, lets another device be chosen, and remembers it", async () => {
    await showPage();
    await userEvent.click(screen.getByRole("button", { name: "Check your microphone" }));
    const dialog = await screen.findByRole("dialog", { name: "Check your microphone" });
    expect(within(dialog).getByText(/Nothing is recorded or sent/)).toBeVisible();
    const device = await within(dialog).findByRole("combobox", { name: "Microphone" });
    await waitFor(() => expect(device).toHaveDisplayValue("Built-in"));
    await userEvent.selectOptions(device, "Headset");
    expect(await within(dialog).findByText("Nightlight will hear you")).toBeVisible();
    expect(within(dialog).getByRole("meter")).toHaveAttribute("aria-valuenow", "7");
    await userEvent.click(within(dialog).getByRole("button", { name: "Done" }));
    expect(await screen.findByRole("button", { name: "Check your microphone again" })).toBeVisible();

    await userEvent.click(screen.getByRole("button", { name: "Check your microphone again" }));
    await waitFor(() => expect(opened.at(-1)).toBe("headset"));
  });

  it("does not take a voice's sample for the caller", async () => {
    vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
    await showPage();
    await userEvent.click(screen.getByRole("button", { name: "Check your microphone" }));
    const dialog = await screen.findByRole("dialog", { name: "Check your microphone" });
    await userEvent.click(within(dialog).getByText("Hear the voices"));
    await userEvent.click(within(dialog).getByRole("button", { name: "Play Heart" }));
    const audio = dialog.querySelector("audio") as HTMLAudioElement;
    fireEvent.playing(audio);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const choose = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await choose.selectOptions(await within(dialog).findByRole("combobox"), "Headset");
    await waitFor(() => expect(opened.at(-1)).toBe("headset"));
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(within(dialog).getByText("Listening")).toBeVisible();
    fireEvent.pause(audio);
    await act(() => vi.advanceTimersByTimeAsync(2000));
    expect(within(dialog).getByText("Nightlight will hear you")).toBeVisible();
  });

  it("leads straight into the call", async () => {
    const call = await showPage();
    await userEvent.click(screen.getByRole("button", { name: "Check your microphone" }));
    const dialog = await screen.findByRole("dialog", { name: "Check your microphone" });
    await userEvent.click(within(dialog).getByRole("button", { name: "Talk to Nightlight" }));
    await waitFor(() => expect(call.parts.createCall).toHaveBeenCalledOnce());
  });

  it("is skipped by pressing the button", async () => {
    const call = await callUnderWay();
    expect(call.parts.createCall).toHaveBeenCalledOnce();
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("trouble", () => {
  it.each([
    ["microphone-refused", "The microphone is not allowed"],
    ["microphone-missing", "No microphone was found"],
    ["lines-busy", "All lines are busy"],
    ["server-unreachable", "Nightlight cannot be reached"],
  ] as const)("%s is told with the numbers to ring now", async (trouble, title) => {
    const call = inMemoryCall({
      openMicrophone: async () => {
        throw refusedBy(trouble);
      },
    });
    await showPage(call);
    await userEvent.click(screen.getByRole("button", { name: "Talk to Nightlight" }));
    const notice = await screen.findByRole("alert");
    expect(within(notice).getByRole("heading", { name: title })).toBeVisible();
    const numbers = within(notice)
      .getAllByRole("link")
      .map((link) => link.getAttribute("href"));
    expect(numbers).toEqual(["tel:999", "tel:995", "sms:70999", "tel:1767", "tel:18007770000"]);
    expect(screen.getByRole("button", { name: "Talk to Nightlight" })).toBeEnabled();
  });

  it("a line that is lost is told with the numbers, and the call goes on over another", async () => {
    const call = await callUnderWay();
    await act(async () => call.first.listener?.left("lost"));
    const notice = screen.getByRole("alert");
    expect(within(notice).getByRole("heading", { name: "The line was cut off" })).toBeVisible();
    expect(within(notice).getAllByRole("link")).toHaveLength(5);
    expect(screen.getByText("Connecting to Nightlight again")).toBeVisible();
    expect(screen.getByRole("button", { name: "End Call" })).toBeEnabled();
    await act(async () => call.first.listener?.message("listening"));
    expect(screen.queryByRole("alert")).toBeNull();
    expect(screen.getByText("Connected to Nightlight")).toBeVisible();
  });

  it("a call that is cut off for good is told, and the button is back", async () => {
    const call = await callUnderWay();
    call.first.refuses = refusedBy("call-refused");
    await act(async () => call.first.listener?.left("lost"));
    expect(
      within(screen.getByRole("alert")).getByRole("heading", { name: "The call was cut off" }),
    ).toBeVisible();
    expect(screen.getByRole("button", { name: "Talk to Nightlight" })).toBeVisible();
  });

  it("a server that is down is told before anyone presses the button", async () => {
    server.answers = {};
    await showPage();
    expect(await screen.findByRole("heading", { name: "Nightlight cannot be reached" })).toBeVisible();
  });
});
