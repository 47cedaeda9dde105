import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { inMemoryCall, refusedBy } from "../../voice/testing/in-memory-call.ts";
import {
  callUnderWay,
  cellsOf,
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
      expect([cells[0], cells[2], cells[6]]).toEqual(["11", "Completed", "SPF"]);
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

  it("a call that is cut off is told, and the button is back", async () => {
    const call = await callUnderWay();
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
