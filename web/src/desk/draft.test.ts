/** Nothing typed is lost, and nothing of a colleague's is overwritten unseen. */
import { describe, expect, it } from "vitest";
import { afterSaving, keepMine, same, shownOf, standingOf, typed } from "./draft.ts";

const BEFORE = { title: "Afraid", facts: { place: "Bedok" } };
const MINE = { title: "Afraid of her son", facts: { place: "Bedok" } };
const THEIRS = { title: "Afraid", facts: { place: "Tampines" } };

describe("what is typed", () => {
  it("is nothing at first, and what is kept is shown", () => {
    expect(standingOf(null, BEFORE)).toBe("unchanged");
    expect(shownOf(null, BEFORE)).toBe(BEFORE);
  });

  it("stands beside what is kept, until it says the same again", () => {
    const draft = typed(null, BEFORE, MINE);
    expect(standingOf(draft, BEFORE)).toBe("edited");
    expect(shownOf(draft, BEFORE)).toBe(MINE);
    expect(standingOf(typed(draft, BEFORE, { ...BEFORE }), BEFORE)).toBe("unchanged");
  });

  it("is in conflict with what a colleague changed meanwhile, and is not lost", () => {
    const draft = typed(null, BEFORE, MINE);
    expect(standingOf(draft, THEIRS)).toBe("conflict");
    expect(shownOf(draft, THEIRS)).toBe(MINE);
    expect(standingOf(typed(draft, THEIRS, { ...MINE, title: "Afraid of him" }), THEIRS)).toBe("conflict");
  });

  it("may stand over the colleague's once that was seen", () => {
    const draft = keepMine(typed(null, BEFORE, MINE), THEIRS);
    expect(standingOf(draft, THEIRS)).toBe("edited");
    expect(shownOf(draft, THEIRS)).toBe(MINE);
  });

  it("is no conflict where both wrote the same", () => {
    expect(standingOf(typed(null, BEFORE, MINE), { ...MINE })).toBe("unchanged");
  });

  it("gives way to a colleague's change where nothing was typed", () => {
    const untouched = typed(null, BEFORE, { ...BEFORE });
    expect(standingOf(untouched, THEIRS)).toBe("unchanged");
    expect(shownOf(untouched, THEIRS)).toBe(THEIRS);
    expect(standingOf(typed(untouched, THEIRS, MINE), THEIRS)).toBe("edited");
  });

  it("is a draft still where it went on while it was being saved", () => {
    const draft = typed(null, BEFORE, MINE);
    expect(afterSaving(draft, { ...MINE })).toBeNull();
    const further = typed(draft, BEFORE, { ...MINE, title: "Afraid of her son, who drinks" });
    const left = afterSaving(further, MINE);
    expect(standingOf(left, MINE)).toBe("edited");
  });

  it("is compared by what it says", () => {
    expect(same({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toBe(true);
    expect(same({ a: 1 }, { a: 1, b: 2 })).toBe(false);
    expect(same({ a: undefined }, { b: undefined })).toBe(false);
    expect(same(null, {})).toBe(false);
  });
});
