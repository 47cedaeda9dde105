/** What is pressed at the desk on the way to its places, and in them. */
import type { DutyOfficer } from "./duty-officer.ts";

export const goTo = ({ page }: DutyOfficer, place: string) =>
  page.getByRole("navigation", { name: "Desk" }).getByRole("link", { name: place, exact: true }).click();
export const queueOf = ({ page }: DutyOfficer) => page.getByRole("list", { name: "Cases" }).getByRole("link");
export const press = ({ page }: DutyOfficer, name: string) =>
  page.getByRole("button", { name, exact: true }).click();

/** As a date field takes it, in Singapore. */
export const fieldIn = (hours: number) =>
  new Date(Date.now() + (8 + hours) * 3_600_000).toISOString().slice(0, 16);
