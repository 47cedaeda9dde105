/** What a caller is told beside the button stands in the documentation, word for word and under its version. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { HOSTED_NOTICE_VERSION, NOTICE_VERSION, noticeWords, shownNotice } from "./notice.ts";

const PRIVACY = readFileSync("../docs/privacy.md", "utf8");

it("the words of the notice stand in the documentation under its version", () => {
  const [, latest = ""] = PRIVACY.split("## What callers are told");
  const [, version, words = ""] = /^\*\*(\d{4}-\d{2}-\d{2})\*\*: “([^”]*)”/m.exec(latest) ?? [];
  expect(version).toBe(NOTICE_VERSION);
  expect(words.replace(/\s+/g, " ")).toBe(noticeWords("Nightlight", 30));
});

it("where the hosted platform holds calls, other words stand there under their own version", () => {
  const [, version, words = ""] = /^\*\*(\d{4}-\d{2}-\d{2}), hosted\*\*: “([^”]*)”/m.exec(PRIVACY) ?? [];
  expect(version).toBe(HOSTED_NOTICE_VERSION);
  expect(words.replace(/\s+/g, " ")).toBe(noticeWords("Nightlight", 30, true));
  expect(words).not.toContain("Sound is not kept");
  expect(shownNotice(30, true)).toBe(`${HOSTED_NOTICE_VERSION}/30`);
});

it("the notice names the days that this server keeps records", () => {
  expect(noticeWords("Nightlight", 7)).toContain("for up to 7 days");
  expect(noticeWords("Nightlight", 1)).toContain("for up to 1 day after");
  expect(shownNotice(7)).toBe(`${NOTICE_VERSION}/7`);
});
