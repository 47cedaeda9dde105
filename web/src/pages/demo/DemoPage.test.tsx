import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallInfo } from "../../api/contract.ts";
import { type InMemoryCall, inMemoryCall, refusedBy } from "../../voice/testing/in-memory-call.ts";
import { DemoPage } from "./DemoPage.tsx";

const CONFIG = { voicePlatform: "embedded", publicKey: "public", assistantId: "nightlight" };
const URGENT: CallInfo = {
  id: 10,
  callId: "0f3b2c44-0000-4000-8000-000000000010",
  startedAt: "2026-11-02T18:04:00Z",
  durationSeconds: 83,
  summary: "Caller is afraid.",
  summaryTitle: "Caller in immediate danger from her partner",
  structuredData: {
    name: "Mei",
    urgent: true,
    location: "Toa Payoh",
    follow_up: "Call back before noon. Offer shelter.",
    abuse_type: "Physical",
    transfer_to: "SPF",
    transferred: true,
    latest_incident_date: "2 November",
  },
  messages: [
    { role: "system", message: "hidden instructions" },
    { role: "bot", message: "Are you safe?" },
    { role: "user", message: "<b>No</b>" },
  ],
};
const QUIET: CallInfo = {
  id: 9,
  callId: "99999999-0000-4000-8000-000000000009",
  summaryTitle: "Caller wishes to talk",
};

/** What the server answers, by path; a missing path is a server that does not answer. */
let answers: Record<string, unknown>;
let push: (info: CallInfo) => void;

class FakeEventSource {
  addEventListener(name: string, listener: (event: { data: string }) => void) {
    if (name === "call-updated") push = (info) => listener({ data: JSON.stringify(info) });
  }
  close() {}
}

/** The overview stays out of sight, and so is not fetched; it has tests of its own. */
class NeverNear {
  observe() {}
  disconnect() {}
}

beforeEach(() => {
  answers = { "/api/config": CONFIG, "/api/calls": [URGENT, QUIET] };
  vi.stubGlobal("EventSource", FakeEventSource);
  vi.stubGlobal("IntersectionObserver", NeverNear);
  vi.stubGlobal("fetch", async (url: string) => {
    const path = url.split("?")[0] ?? url;
    if (!(path in answers)) throw new TypeError("failed to fetch");
    return new Response(JSON.stringify(answers[path]));
  });
  vi.spyOn(console, "error").mockImplementation(() => {});
  // Has no layout, and so no scrolling.
  Element.prototype.scrollIntoView = vi.fn();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function showPage(call: InMemoryCall = inMemoryCall(), path = "/Demo") {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[path]}>
        <DemoPage client={call.client} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole("heading", { name: "Call history" });
  return call;
}

const cellsOf = (row: HTMLElement) => within(row).getAllByRole("cell").slice(0, 9);
const textOf = (cell: HTMLElement) => {
  const copy = cell.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
  return copy.textContent;
};
const row = async (n: number) => (await screen.findAllByRole("row"))[n] as HTMLElement;

async function callUnderWay() {
  const call = await showPage();
  await row(1);
  await userEvent.click(screen.getByRole("button", { name: "Talk to Nightlight" }));
  await waitFor(() => expect(call.first.listener).not.toBeNull());
  await act(async () => call.first.listener?.message("listening"));
  return call;
}

describe("the history", () => {
  it("shows every column as specified", async () => {
    await showPage();
    await row(1);
    expect(screen.getAllByRole("columnheader").map((header) => header.textContent)).toEqual([
      "ID",
      "Call ID",
      "Call Status",
      "Created Date",
      "Duration",
      "Urgent Status",
      "Transfer To",
      "Transfer Status",
      "Short Description",
      "Details",
    ]);
    expect(cellsOf(await row(1)).map(textOf)).toEqual([
      "10",
      "0f3b2c44…",
      "Completed",
      "3/11/26 (2:04 AM)",
      "0h 01m 23s",
      "Urgent",
      "SPF",
      "Transferred",
      "Caller in immediate danger fro…",
    ]);
    expect(
      cellsOf(await row(2))
        .map(textOf)
        .slice(3),
    ).toEqual(["N/A", "N/A", "Not Urgent", "Not Applicable", "Not Applicable", "Caller wishes to talk"]);
  });

  it("drops a record with a duplicate id, with a warning", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    answers["/api/calls"] = [URGENT, { ...QUIET, id: 10 }];
    await showPage();
    expect(await screen.findAllByRole("row")).toHaveLength(2);
    expect(warned).toHaveBeenCalledOnce();
  });

  it("is written to the browser's storage on every change, and read from there when the server is down", async () => {
    await showPage();
    await row(1);
    const stored = localStorage.getItem("call-records") ?? "";
    expect(JSON.parse(stored).map((record: { id: string }) => record.id)).toEqual(["10", "9"]);

    document.body.replaceChildren();
    answers = {};
    await showPage();
    expect(await screen.findByText(/The server cannot be reached/)).toBeVisible();
    expect(textOf(cellsOf(await row(1))[0] as HTMLElement)).toBe("10");
  });
});

describe("finding records", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      ...(i % 2 ? URGENT : QUIET),
      id: count - i,
      callId: `call-${i}`,
    }));
  const ids = () =>
    screen
      .getAllByRole("row")
      .slice(1)
      .map((each) => textOf(within(each).getAllByRole("cell")[0] as HTMLElement));

  it("searches what is in a record", async () => {
    await showPage();
    await row(1);
    await userEvent.type(screen.getByRole("searchbox", { name: "Search" }), "toa payoh");
    await waitFor(() => expect(ids()).toEqual(["10"]));
    expect(screen.getByText("1 record found")).toBeVisible();
    await userEvent.type(screen.getByRole("searchbox", { name: "Search" }), "x");
    expect(await screen.findByText("No record matches.")).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Show all records" }));
    expect(ids()).toEqual(["10", "9"]);
  });

  it("filters by urgency, agency and status", async () => {
    await showPage();
    await row(1);
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Urgency" }), "Not Urgent");
    expect(ids()).toEqual(["9"]);
    await userEvent.click(screen.getByRole("button", { name: "Clear" }));
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Agency" }), "SPF");
    expect(ids()).toEqual(["10"]);
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Ongoing");
    expect(screen.getByText("No record matches.")).toBeVisible();
  });

  it("sorts by a column, the other way, and not", async () => {
    await showPage();
    await row(1);
    const header = () => screen.getByRole("columnheader", { name: "Urgent Status" });
    const press = () => userEvent.click(within(header()).getByRole("button"));
    await userEvent.click(screen.getByRole("button", { name: "Created Date" }));
    expect(ids()).toEqual(["10", "9"]);
    await press();
    expect(header()).toHaveAttribute("aria-sort", "ascending");
    expect(ids()).toEqual(["10", "9"]);
    await press();
    expect(header()).toHaveAttribute("aria-sort", "descending");
    expect(ids()).toEqual(["9", "10"]);
    await press();
    expect(header()).not.toHaveAttribute("aria-sort");
    expect(ids()).toEqual(["10", "9"]);
  });

  it("renders only the page that is shown of a long history", async () => {
    answers["/api/calls"] = many(1000);
    await showPage(undefined, "/Demo?page=2");
    expect(await screen.findByText("26 to 50 of 1,000 records")).toBeVisible();
    expect(ids()).toHaveLength(25);
    expect(ids()[0]).toBe("975");
    const pages = within(screen.getByRole("navigation", { name: "Pages of the call history" }));
    await userEvent.click(pages.getByRole("button", { name: "Last page" }));
    expect(ids().at(-1)).toBe("1");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Urgency" }), "Urgent");
    expect(screen.getByText("1 to 25 of 500 records")).toBeVisible();
  });
});

describe("the call log", () => {
  it("shows the summary of an urgent case", async () => {
    await showPage();
    await userEvent.click(await screen.findByRole("button", { name: "Expand View of case 10" }));
    const panel = await screen.findByRole("dialog", { name: "Call Log" });
    expect(panel).toHaveTextContent(
      "Heads up! This caller has been flagged as an urgent case and requires active follow-up.",
    );
    const rows = within(panel)
      .getAllByRole("term")
      .map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(rows).toEqual([
      ["CALL ID", URGENT.callId],
      ["CALL STARTED AT", "3/11/26 (2:04 AM)"],
      ["CALL DURATION", "0h 01m 23s"],
      ["TYPE OF ABUSE", "Physical"],
      ["URGENT STATUS", "TRUE"],
      ["TRANSFER TO", "SPF"],
      ["TRANSFER STATUS", "TRUE"],
      ["CALLER NAME", "Mei"],
      ["CALLER LOCATION", "Toa Payoh"],
      ["LATEST INCIDENT", "2 November"],
    ]);
    expect(
      within(panel)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["Call back before noon", "Offer shelter"]);
  });

  it("shows the transcript: caller and assistant only, and markup as text", async () => {
    await showPage(undefined, "/Demo?record=10");
    const panel = await screen.findByRole("dialog");
    await userEvent.click(within(panel).getByRole("button", { name: "Transcript" }));
    expect(
      within(panel)
        .getAllByRole("listitem")
        .map((item) => item.textContent),
    ).toEqual(["NightlightAre you safe?", "Caller<b>No</b>"]);
  });

  it("leads from a claim of the note to its words in the transcript", async () => {
    answers["/api/calls"] = [
      { ...URGENT, evidence: [{ claim: "weapon", words: "No</b>", turn: 0, confidence: 1 }] },
    ];
    await showPage(undefined, "/Demo?record=10");
    const panel = await screen.findByRole("dialog");
    const flag = within(panel).getByRole("region", { name: "Words that raised the flag" });
    await userEvent.click(within(flag).getByRole("button", { name: /No<\/b>.*Show in the transcript/ }));
    expect(panel.querySelector("mark")).toHaveTextContent("No</b>");
    expect(document.activeElement).toHaveTextContent("Caller<b>No</b>");
  });

  it("gives the case note to copy and to keep", async () => {
    const keyboard = userEvent.setup();
    await showPage(undefined, "/Demo?record=10");
    await keyboard.click(await screen.findByRole("button", { name: "Copy note" }));
    expect(await screen.findByText("The note was copied.")).toBeVisible();
    expect(await navigator.clipboard.readText()).toMatch(/CALLER NAME:\s+Mei[\s\S]*- Offer shelter/);

    const made = vi.fn((_: Blob) => "blob:note");
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: made, revokeObjectURL: () => {} }));
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download, this.href);
    });
    await keyboard.click(screen.getByRole("button", { name: "Download" }));
    expect(saved).toEqual(["case-10.txt", "blob:note"]);
    expect(made.mock.lastCall?.[0].size).toBeGreaterThan(300);
  });

  it("shows a sample conversation when there are no messages", async () => {
    await showPage(undefined, "/Demo?record=9");
    const panel = await screen.findByRole("dialog");
    await userEvent.click(within(panel).getByRole("button", { name: "Transcript" }));
    expect(panel).toHaveTextContent("This call has no transcript. Here is a sample conversation instead.");
    expect(within(panel).getAllByRole("listitem").length).toBeGreaterThan(3);
  });

  it("deletes a case from the view only", async () => {
    await showPage(undefined, "/Demo?record=10");
    await userEvent.click(await screen.findByRole("button", { name: "Delete Case" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).not.toBeInTheDocument());
    expect(screen.getAllByRole("row")).toHaveLength(2);
    expect(screen.getByText("Case 10 was removed from this view.")).toBeInTheDocument();
  });
});

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
    await act(async () => push({ ...URGENT, id: 12, callId: "call-1" }));
    const cells = cellsOf(await row(1)).map(textOf);
    expect([cells[0], cells[2], cells[6]]).toEqual(["11", "Completed", "SPF"]);
  });

  it("is filled by the fetch ten seconds after its end", async () => {
    await callUnderWay();
    answers["/api/getCallInfo"] = { ...URGENT, callId: "call-1" };
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
    expect(numbers).toEqual(["tel:999", "tel:995", "tel:1767", "tel:18007770000", "sms:70999"]);
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
    answers = {};
    await showPage();
    expect(await screen.findByRole("heading", { name: "Nightlight cannot be reached" })).toBeVisible();
  });
});
