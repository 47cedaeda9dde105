/** The history of calls on `/Demo`: its columns, finding and sorting, and one that is too long to fetch at once. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import {
  cellsOf,
  QUIET,
  row,
  server,
  showPage,
  textOf,
  URGENT,
  withTestServer,
} from "./testing/shown-page.tsx";

withTestServer();

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
    server.answers["/api/calls"] = [URGENT, { ...QUIET, id: 10 }];
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
    server.answers = {};
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
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Urgency" }), "Not urgent only");
    expect(ids()).toEqual(["9"]);
    await userEvent.click(screen.getByRole("button", { name: "Clear" }));
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Agency" }), "SPF");
    expect(ids()).toEqual(["10"]);
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Status" }), "Ongoing only");
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
    server.answers["/api/calls"] = many(1000);
    await showPage(undefined, "/Demo?page=2&sort=-id");
    expect(await screen.findByText("26 to 50 of 1,000 records")).toBeVisible();
    expect(ids()).toHaveLength(25);
    expect(ids()[0]).toBe("975");
    const pages = within(screen.getByRole("navigation", { name: "Pages of the call history" }));
    await userEvent.click(pages.getByRole("button", { name: "Last page" }));
    expect(ids().at(-1)).toBe("1");
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Urgency" }), "Urgent only");
    expect(screen.getByText("1 to 25 of 500 records")).toBeVisible();
  });
});

describe("a long history", () => {
  const FIRST = "/api/calls";
  const SECOND = "/api/calls?limit=2&after=1.9";
  const OLDER = { ...QUIET, id: 3, callId: "call-3" };
  const ids = () =>
    screen
      .getAllByRole("row")
      .slice(1)
      .map((each) => textOf(cellsOf(each)[0] as HTMLElement));

  function inTwoPages() {
    server.pages[FIRST] = SECOND;
    server.answers[SECOND] = [OLDER];
  }

  it("is fetched a page at a time, and says what is here", async () => {
    inTwoPages();
    await showPage();
    expect(await screen.findByText(/^The first 2 records are here/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Fetch more records" }));
    await waitFor(() => expect(ids()).toEqual(["10", "9", "3"]));
    expect(screen.queryByRole("button", { name: "Fetch more records" })).not.toBeInTheDocument();
    expect(screen.queryByText(/records are here/)).not.toBeInTheDocument();
  });

  it("says when more cannot be fetched, and goes on from there", async () => {
    server.pages[FIRST] = SECOND;
    server.answers[SECOND] = new Response("", { status: 503 });
    await showPage();
    await userEvent.click(await screen.findByRole("button", { name: "Fetch more records" }));
    expect(await screen.findByText("They could not be fetched. Try again in a moment.")).toBeVisible();
    server.answers[SECOND] = [OLDER];
    await userEvent.click(screen.getByRole("button", { name: "Fetch more records" }));
    await waitFor(() => expect(ids()).toEqual(["10", "9", "3"]));
  });

  it("does not bring back what was removed from the view", async () => {
    inTwoPages();
    server.answers[SECOND] = [QUIET, OLDER];
    await showPage(undefined, "/Demo?record=9");
    await userEvent.click(await screen.findByRole("button", { name: "Delete Case" }));
    await userEvent.click(screen.getByRole("button", { name: "Fetch more records" }));
    await waitFor(() => expect(ids()).toEqual(["10", "3"]));
  });
});
