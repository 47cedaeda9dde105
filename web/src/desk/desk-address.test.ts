/** Addresses lead to the desk's places and its cases, and to each role's own places alone. */
import { describe, expect, it } from "vitest";
import { addressOf, caseFragment, NEW_CASE, placesOf } from "./desk-address.ts";
import { signedAs } from "./testing/in-memory-desk.ts";

describe("an address of the desk", () => {
  it("names a place, and a case in its own", () => {
    expect(addressOf("")).toEqual({ place: "desk", caseId: null });
    expect(addressOf("#desk")).toEqual({ place: "desk", caseId: null });
    expect(addressOf("#cases")).toEqual({ place: "cases", caseId: null });
    expect(addressOf("#cases/abc")).toEqual({ place: "cases", caseId: "abc" });
    expect(addressOf(caseFragment(NEW_CASE))).toEqual({ place: "cases", caseId: NEW_CASE });
    expect(addressOf("#audit-trail")).toEqual({ place: "audit-trail", caseId: null });
  });

  it("leads nowhere else", () => {
    for (const other of ["#main", "#report/abc", "#cases/a/b", "#0123"]) expect(addressOf(other)).toBeNull();
  });
});

it("each role has the places of its acts", () => {
  const names = (role: Parameters<typeof signedAs>[0]) =>
    placesOf(signedAs(role).may).map(({ name }) => name);
  expect(names("officer")).toEqual(["Desk", "Cases", "Report", "Shifts"]);
  expect(names("supervisor")).toEqual(["Desk", "Cases", "Report", "Shifts", "Records"]);
  expect(names("administrator")).toEqual(["Accounts"]);
  expect(names("auditor")).toEqual(["Audit trail"]);
});
