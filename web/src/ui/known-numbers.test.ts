/** Which digits in a text are a number that can be rung. */
import { describe, expect, it } from "vitest";
import { withKnownNumbers } from "./known-numbers.ts";

const links = (text: string) =>
  withKnownNumbers(text)
    .filter(({ href }) => href)
    .map(({ text: number, href }) => [number, href]);

describe("the numbers known in a text", () => {
  it.each([
    ["Call 999.", [["999", "tel:999"]]],
    ["The ambulance is on 995, right now.", [["995", "tel:995"]]],
    ["Text 70999 with where you are.", [["70999", "sms:70999"]]],
    ["They answer on 1800 777 0000 (day and night).", [["1800 777 0000", "tel:18007770000"]]],
    ["18007770000", [["18007770000", "tel:18007770000"]]],
    [
      "Ring 6779 0282 or 6555-0390.",
      [
        ["6779 0282", "tel:67790282"],
        ["6555-0390", "tel:65550390"],
      ],
    ],
    [
      "For tonight: 999 for the police, 995 for an ambulance, and Samaritans on 1767.",
      [
        ["999", "tel:999"],
        ["995", "tel:995"],
        ["1767", "tel:1767"],
      ],
    ],
    [
      "999? 995! “1767”",
      [
        ["999", "tel:999"],
        ["995", "tel:995"],
        ["1767", "tel:1767"],
      ],
    ],
  ])("%s", (text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  it.each([
    "Block 999, Orchard Road",
    "blk 995",
    "#09-995",
    "unit 999",
    "999 Bukit Timah Road",
    "999 Jalan Besar",
    "He took $999 from me",
    "999 dollars",
    "since 17679",
    "postal code 070999",
    "WhatsApp 9151 1767",
    "1767 9151",
    "9995",
    "1999",
    "aged 999",
    "1,999",
    "999.5",
    "a999",
    "999th",
    "1-767",
    "the other number 71999 no longer works",
    "My number is 9123 4567",
    "one seven six seven",
  ])("none in: %s", (text) => {
    expect(links(text)).toEqual([]);
  });

  it.each(["", "Are you safe?", "999", "Ring 999 or 1767 now.", "1767 1767 and Block 999"])(
    "no letter of a text is lost or changed: %j",
    (text) => {
      expect(
        withKnownNumbers(text)
          .map((stretch) => stretch.text)
          .join(""),
      ).toBe(text);
    },
  );
});
