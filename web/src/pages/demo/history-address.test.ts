/** What the address holds of the history's selection, and what is read from it again. */
import { expect, it } from "vitest";
import { EVERYTHING } from "../../records/selection.ts";
import { pageIn, selectionIn, withPage, withSelection } from "./history-address.ts";

const { search: _, ...UNNARROWED } = EVERYTHING;
const params = (text: string) => new URLSearchParams(text);

it("a selection comes back from its address", () => {
  const selection = {
    urgent: "urgent",
    agency: "SPF",
    status: "completed",
    onlyNew: true,
    order: { by: "date", descending: true },
  } as const;
  expect(selectionIn(withSelection(params(""), selection))).toEqual(selection);
});

it("what is unknown in an address is passed over", () => {
  expect(selectionIn(params("urgent=very&status=lost&new=yes&sort=-colour"))).toEqual(UNNARROWED);
  expect(["", "page=x", "page=-", "page=0"].map((text) => pageIn(params(text)))).toEqual([1, 1, 1, 1]);
});

it("another selection begins at its first page, and leaves the rest of the address alone", () => {
  const narrowed = withSelection(params("record=4&page=3&agency=SOS"), { urgent: "urgent" });
  expect(narrowed.toString()).toBe("record=4&agency=SOS&urgent=urgent");
  expect(withSelection(narrowed, UNNARROWED).toString()).toBe("record=4");
});

it("the first page is not named", () => {
  expect(withPage(params("page=3"), 1).toString()).toBe("");
  expect(withPage(params("sort=id"), 2).toString()).toBe("sort=id&page=2");
});
