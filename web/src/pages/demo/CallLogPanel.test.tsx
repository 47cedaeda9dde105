/** The call log's panel: one record's summary, transcript and case note, also where its words cannot be had. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { QUIET, server, showPage, URGENT, withTestServer } from "./testing/shown-page.tsx";

withTestServer();

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

  it("says in one line what the caller was told before the call", async () => {
    server.answers["/api/calls"] = [{ ...URGENT, notice: { version: "2026-11-23", keptDays: 7 } }, QUIET];
    await showPage(undefined, "/Demo?record=10");
    const panel = await screen.findByRole("dialog");
    expect(panel).toHaveTextContent(
      "The caller was shown the notice of 2026-11-23: an AI answers, kept for 7 days.",
    );
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
    const weapon = { claim: "weapon", words: "No</b>", turn: 0, messageIndex: 2 };
    server.answers["/api/calls"] = [{ ...URGENT, evidence: [weapon], escalationTriggers: [weapon] }];
    await showPage(undefined, "/Demo?record=10");
    const panel = await screen.findByRole("dialog");
    const flag = within(panel).getByRole("region", { name: "Words that raised the flag" });
    await userEvent.click(within(flag).getByRole("button", { name: /No<\/b>.*Show where it was said/ }));
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

  it("fetches what was said when a record is opened, with the words behind its note", async () => {
    const { messages: _, ...listed } = URGENT;
    const weapon = { claim: "weapon", words: "No</b>", turn: 0, messageIndex: 2 };
    server.answers["/api/calls"] = [listed];
    server.answers[`/api/getCallInfo?callId=${URGENT.callId}`] = {
      ...URGENT,
      evidence: [weapon],
      escalationTriggers: [weapon],
    };
    await showPage(undefined, "/Demo?record=10");
    const panel = await screen.findByRole("dialog");
    expect(await within(panel).findByRole("region", { name: "Words that raised the flag" })).toBeVisible();
    await userEvent.click(within(panel).getByRole("button", { name: "Transcript" }));
    expect(within(panel).getAllByRole("listitem")).toHaveLength(2);
  });

  it("says when what was said cannot be fetched, in the note that is taken along too, and tries again", async () => {
    const keyboard = userEvent.setup();
    const { messages: _, ...listed } = URGENT;
    server.answers["/api/calls"] = [listed];
    await showPage(undefined, "/Demo?record=10");
    const panel = await screen.findByRole("dialog");
    expect(await within(panel).findByText("What was said could not be fetched.")).toBeVisible();
    await keyboard.click(within(panel).getByRole("button", { name: "Copy note" }));
    await screen.findByText("The note was copied.");
    expect(await navigator.clipboard.readText()).toMatch(/What the caller said could not be fetched/);

    server.answers["/api/getCallInfo"] = URGENT;
    await keyboard.click(within(panel).getByRole("button", { name: "Transcript" }));
    await keyboard.click(within(panel).getByRole("button", { name: "Try again" }));
    expect(await within(panel).findAllByRole("listitem")).toHaveLength(2);
  });

  it("says so when the record is not kept any more", async () => {
    const { messages: _, ...listed } = URGENT;
    server.answers["/api/calls"] = [listed];
    server.answers["/api/getCallInfo"] = new Response("{}", { status: 404 });
    await showPage(undefined, "/Demo?record=10");
    expect(await screen.findByText(/This record is not kept any more/)).toBeVisible();
    expect(screen.queryByRole("button", { name: "Try again" })).not.toBeInTheDocument();
  });

  it("shows a sample conversation when there are no messages", async () => {
    server.answers["/api/getCallInfo"] = { ...QUIET, messages: [] };
    await showPage(undefined, "/Demo?record=9");
    const panel = await screen.findByRole("dialog");
    await userEvent.click(within(panel).getByRole("button", { name: "Transcript" }));
    await within(panel).findAllByRole("listitem");
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
