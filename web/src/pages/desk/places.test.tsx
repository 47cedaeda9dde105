/** The morning report, the shifts, and what is kept and deleted. */
import { configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Role } from "../../desk/contract.ts";
import { CASE, inMemoryCaseDesk, JOAN, RECEIPT, REPORT, SHIFT } from "../../desk/testing/cases.ts";
import type { InMemoryDesk } from "../../desk/testing/in-memory-desk.ts";
import { DeskPage } from "./DeskPage.tsx";

// A whole page is looked through by roles, on machines that do other things too.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

let desk: InMemoryDesk;

/** Wednesday, eight in the morning. */
const NOW = new Date("2026-11-25T00:00:00Z");

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  return () => vi.useRealTimers();
});

async function openPlace(role: Role, place: string, answers: InMemoryDesk["answers"]) {
  desk = inMemoryCaseDesk(role);
  Object.assign(desk.answers, answers);
  window.history.replaceState(null, "", `/desk#${place}`);
  render(<DeskPage />);
  await screen.findByRole("heading", { level: 1, name: /Morning report|Shifts|Records/ });
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

describe("the morning report", () => {
  const open = (role: Role = "supervisor") => openPlace(role, "report", { "GET /report": REPORT });

  it("is of the last night, at a glance and as a list", async () => {
    await open();
    expect(screen.getByText("The night of Tuesday 24 November")).toBeVisible();
    const glance = within(await screen.findByRole("region", { name: "The night at a glance" }));
    expect(glance.getByText(/Reached a person/).closest("div")).toHaveTextContent("of 5 handed over");
    expect(glance.getByText(/Reached a person/).closest("div")).toHaveTextContent("3");
    expect(within(glance.getByRole("table")).getAllByRole("row")[3]).toHaveTextContent("No agency40");
    const list = within(screen.getByRole("region", { name: "Table of the cases" }));
    const row = list.getAllByRole("row")[1];
    for (const words of ["2:00 AM", CASE.title, "PAVE", "Urgent", "With you", "1 open"])
      expect(row).toHaveTextContent(words);
    expect(desk.addresses.at(-1)).toBe(
      "/api/desk/report?from=2026-11-24T10%3A00%3A00.000Z&until=2026-11-25T00%3A00%3A00.000Z",
    );
  });

  it("lists what is due, and leads to its case", async () => {
    await open();
    const due = within(await screen.findByRole("region", { name: "Due today and overdue" }));
    expect(due.getByRole("link")).toHaveAttribute("href", `#cases/${CASE.callId}`);
    expect(due.getByText(/Call back, due 25\/11\/26 \(2:00 PM\), Joan Ong/)).toBeVisible();
  });

  it("is had of other nights", async () => {
    await open();
    expect(screen.queryByRole("button", { name: "Night after" })).toBeNull();
    await press("Night before");
    expect(screen.getByText("The night of Monday 23 November")).toBeVisible();
    await waitFor(() => expect(desk.addresses.at(-1)).toContain("from=2026-11-23T10"));
    await press("Night after");
    fill("Night of", "2026-11-01");
    expect(screen.getByText("The night of Sunday 1 November")).toBeVisible();
  });

  it("is taken out as a file by those who may", async () => {
    await open();
    expect(screen.getByRole("link", { name: "Download as CSV" })).toHaveAttribute(
      "href",
      expect.stringMatching(/^\/api\/desk\/report\.csv\?from=2026-11-24T10/),
    );
  });

  it("is not taken out by those who may not", async () => {
    await open("officer");
    expect(screen.queryByRole("link", { name: "Download as CSV" })).toBeNull();
  });

  it("says that a night was quiet", async () => {
    await openPlace("officer", "report", {
      "GET /report": { ...REPORT, cases: [], followUpsDue: [], byAgency: [] },
    });
    expect(await screen.findByText("It was a quiet night: nobody called.")).toBeVisible();
    expect(screen.queryByText("Due today and overdue")).toBeNull();
  });
});

describe("shifts", () => {
  const shifts = [SHIFT, { ...SHIFT, id: "2", begins: "2026-11-24T22:00:00Z", ends: "2026-11-25T06:00:00Z" }];
  const open = (role: Role) => openPlace(role, "shifts", { "GET /shifts": { shifts } });

  it("say who is on, day by day", async () => {
    await open("officer");
    expect(await screen.findByText("On now: Joan Ong until 2:00 PM.")).toBeVisible();
    const days = within(screen.getByRole("list", { name: "Days" }));
    const day = (name: RegExp) => days.getByRole("heading", { name }).closest("li");
    expect(day(/Tuesday 24/)).toHaveTextContent("10:00 PM – 6:00 AM Joan Ong");
    expect(day(/Wednesday 25 November today/)).toHaveTextContent("6:00 AM – 2:00 PM Joan Ong");
    expect(day(/Friday/)).toHaveTextContent("Nobody");
    expect(screen.queryByRole("form")).toBeNull();
    expect(screen.queryByRole("button", { name: /Remove/ })).toBeNull();
  });

  it("are planned by supervisors, also over midnight", async () => {
    await open("supervisor");
    desk.answers["POST /shifts"] = {};
    await screen.findByRole("option", { name: /Joan Ong/ });
    await userEvent.selectOptions(screen.getByLabelText("Who"), JOAN.id);
    fill("Day", "2026-11-27");
    await press("Plan it");
    await waitFor(() =>
      expect(desk.sent["POST /shifts"]).toEqual({
        accountId: JOAN.id,
        begins: "2026-11-27T14:00:00.000Z",
        ends: "2026-11-27T22:00:00.000Z",
      }),
    );
    expect(await screen.findByText("It is planned.")).toBeVisible();
  });

  it("are removed only when that was asked for twice", async () => {
    await open("supervisor");
    desk.answers[`DELETE /shifts/${SHIFT.id}`] = null;
    await userEvent.click(
      (await screen.findAllByRole("button", { name: "Remove the shift of Joan Ong" }))[0] as HTMLElement,
    );
    expect(desk.asked).not.toContain(`DELETE /shifts/${SHIFT.id}`);
    await press("Remove it");
    await waitFor(() => expect(desk.asked).toContain(`DELETE /shifts/${SHIFT.id}`));
  });

  it("are had of other weeks", async () => {
    await open("officer");
    await press("Week after");
    expect(screen.getByText("The week of Monday 30 November")).toBeVisible();
    await waitFor(() => expect(desk.addresses.at(-1)).toContain("from=2026-11-29T16"));
    await press("This week");
    expect(screen.getByText(/The week of Monday 23 November/)).toBeVisible();
  });
});

describe("records", () => {
  const open = () =>
    openPlace("supervisor", "records", { "GET /receipts": { receipts: [RECEIPT], next: "7" } });

  it("say what was deleted, when and why", async () => {
    await open();
    const row = (await screen.findAllByRole("row"))[1];
    for (const words of [
      "20/11/26 (10:00 AM)",
      RECEIPT.callId,
      "Its time after closing was over",
      "Transcript, note",
    ])
      expect(row).toHaveTextContent(words);
    desk.answers["GET /receipts"] = { receipts: [{ ...RECEIPT, callId: "older", why: "asked" }], next: null };
    await press("Older receipts");
    expect(await screen.findByText("Somebody asked for it")).toBeVisible();
    expect(desk.addresses.at(-1)).toContain("before=7");
  });

  it("of a caller are handed over as a file, and the number stands in no address", async () => {
    vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => {} }));
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    await open();
    desk.answers["POST /access-request"] = { cases: [{}] };
    fill("Caller’s number", " 9123 4567 ");
    await press("Download the file");
    expect(await screen.findByText(/The file was downloaded/)).toBeVisible();
    expect(saved).toEqual(["access-request.json"]);
    expect(desk.sent["POST /access-request"]).toEqual({ callerNumber: "9123 4567" });
    expect(desk.addresses.join()).not.toContain("9123");
  });

  it("say that nothing is kept", async () => {
    await open();
    desk.answers["POST /access-request"] = { cases: [] };
    await userEvent.click(screen.getByRole("radio", { name: /id of one of their calls/ }));
    fill("Call id", CASE.callId);
    await press("Download the file");
    expect(await screen.findByText("Nothing is kept under this.")).toBeVisible();
    expect(desk.sent["POST /access-request"]).toEqual({ callId: CASE.callId });
  });
});
