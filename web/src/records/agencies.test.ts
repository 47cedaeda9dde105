/** The page's copy of the agencies and their numbers is what `config/agencies.toml` says. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { EMERGENCY_NUMBERS } from "../ui/emergency-numbers.ts";
import { AGENCY_NAMES } from "./agencies.ts";
import { CONTACTS } from "./agency-contacts.ts";

/** The directory that everything else reads, as much of it as is needed here. Tests run in `web/`. */
const DIRECTORY = readFileSync("../config/agencies.toml", "utf8")
  .split("[[contact]]")
  .slice(1)
  .map((entry) =>
    Object.fromEntries(
      [...entry.matchAll(/^(\w+) = "?(.*?)"?$/gm)].map(([, key = "", value = ""]) => [key, value]),
    ),
  );
const contact = (code: string) => DIRECTORY.find((entry) => entry["code"] === code);

describe("the page's own copy of the directory", () => {
  it("names each agency as the directory does", () => {
    for (const [code, name] of Object.entries(AGENCY_NAMES)) {
      expect(contact(code)?.["name"], code).toMatch(new RegExp(`^${name}( \\(.*\\))?$`));
    }
  });

  it("has every contact, with its numbers, and whether they were confirmed", () => {
    const told = DIRECTORY.map(({ code = "", telephone, sms, unconfirmed }) => [
      code,
      { ...(telephone && { telephone }), ...(sms && { sms }), ...(unconfirmed && { unconfirmed: true }) },
    ]);
    expect(CONTACTS).toEqual(Object.fromEntries(told));
  });

  it("shows the numbers that the directory has", () => {
    const shown = EMERGENCY_NUMBERS.map(({ number }) => number);
    const telephone = (code: string) => contact(code)?.["telephone"];
    expect(shown).toEqual([
      telephone("SPF"),
      telephone("SCDF"),
      contact("SPF")?.["sms"],
      telephone("SOS"),
      telephone("NAVH"),
    ]);
    for (const { number, href, who, agency } of EMERGENCY_NUMBERS) {
      if (agency) expect(DIRECTORY.map(({ shown_name: shown }) => shown)).toContain(`${who} (${agency})`);
      expect(href.replace(/^(tel|sms):/, "")).toBe(number.replaceAll(" ", ""));
    }
  });
});
