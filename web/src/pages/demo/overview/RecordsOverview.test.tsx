/** The records in pictures, their sentences, and the same as tables. */
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { CallInfo } from "../../../api/contract.ts";
import { historyFromServer } from "../../../records/history.ts";
import { RecordsOverview } from "./RecordsOverview.tsx";

/** Gives every chart its width at once: without layout nothing has one. */
class Wide {
  #told: ResizeObserverCallback;
  constructor(told: ResizeObserverCallback) {
    this.#told = told;
  }
  observe() {
    this.#told([{ contentRect: { width: 600 } } as ResizeObserverEntry], this as unknown as ResizeObserver);
  }
  disconnect() {}
}
beforeEach(() => vi.stubGlobal("ResizeObserver", Wide));

const call = (
  id: number,
  startedAt: string | null,
  transfer_to: CallInfo["structuredData"] = {},
): CallInfo => ({
  id,
  callId: `call-${id}`,
  startedAt,
  structuredData: transfer_to,
});
const HISTORY = historyFromServer(
  [
    call(3, "2026-11-03T01:00:00Z", { transfer_to: "SPF", urgent: true, transferred: true }),
    call(2, "2026-11-03T00:00:00Z"),
    call(1, null, { transfer_to: "SPF" }),
  ],
  [],
);

it("says above each picture what it shows", () => {
  render(<RecordsOverview history={HISTORY} />);
  for (const words of [
    "0 of 2 calls came between 9 PM and 6 AM.",
    "Monday night was the busiest, with 2 of 2 calls.",
    "1 of 3 completed calls were urgent (33 %).",
    "SPF was chosen most often, for 2 of 3 calls.",
  ]) {
    expect(screen.getByText(words)).toBeVisible();
  }
  expect(screen.getAllByRole("img").map((chart) => chart.getAttribute("aria-label"))).toEqual([
    "Calls by hour",
    "Calls by night of the week",
    "Share of urgent calls",
    "Calls by agency",
  ]);
  expect(screen.getByText("Without 1 call that cannot be dated.")).toBeVisible();
});

it("draws bars as long as there are calls, the urgent ones apart", () => {
  render(<RecordsOverview history={HISTORY} />);
  const agencies = screen.getByRole("img", { name: "Calls by agency" });
  const widths = [...agencies.querySelectorAll("rect")].map((bar) => Number(bar.getAttribute("width")));
  const [urgent = 0, rest = 0, , without = 0] = widths;
  expect(urgent).toBeGreaterThan(100);
  expect(rest).toBeCloseTo(urgent, -1);
  expect(without).toBeCloseTo(urgent, -1);
});

it("names the agencies instead of drawing bars that are all of one call", () => {
  render(<RecordsOverview history={HISTORY.slice(0, 2)} />);
  expect(screen.queryByRole("img", { name: "Calls by agency" })).toBeNull();
  expect(within(screen.getByRole("list", { name: "Agencies" })).getByRole("listitem")).toHaveTextContent(
    "SPF, urgent",
  );
  expect(screen.getByText("1 agency, 1 call, and 1 call for none.")).toBeVisible();
});

it("shows the same as tables", async () => {
  render(<RecordsOverview history={HISTORY} />);
  await userEvent.click(screen.getByRole("button", { name: "Show as tables" }));
  expect(screen.queryByRole("img")).toBeNull();
  const rows = within(screen.getByRole("table", { name: "Calls by agency" })).getAllByRole("row");
  expect(rows.map((row) => row.textContent)).toEqual(["AgencyCallsUrgent", "SPF21", "Not Applicable10"]);
});

it("of no records is no chart that fails", () => {
  render(<RecordsOverview history={[]} />);
  expect(screen.getAllByText("No call has a date.")).toHaveLength(2);
  expect(screen.getByText("No call is completed yet.")).toBeVisible();
});
