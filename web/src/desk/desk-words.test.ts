/** What the desk says of refusals, lost lines, calls and times. */
import { describe, expect, it } from "vitest";
import { Refusal } from "../api/client.ts";
import { VoiceError } from "../voice/voice-error.ts";
import {
  clockOf,
  dutyWords,
  elapsed,
  goneWords,
  inMinutes,
  stageWords,
  UNREACHED_WHY,
  unreachedTitle,
  wrapUpWords,
} from "./desk-words.ts";
import { lineTroubleWords } from "./line-words.ts";
import { NO_ANSWER, NO_DESK, refusalWords } from "./refusal-words.ts";
import { CALL } from "./testing/in-memory-desk.ts";

const refused = (status: number, code: string, told = "", after: number | null = null) =>
  refusalWords(new Refusal(status, code, told, after));

describe("what went wrong", () => {
  it("is told in the server's words where they name a colleague, a field or what to try", () => {
    expect(refused(409, "call-taken", "Farid Rahman has taken this call")).toBe(
      "Farid Rahman has taken this call.",
    );
    expect(refused(400, "field-invalid", "`code`: expected six digits")).toBe("`code`: expected six digits.");
    expect(refused(401, "sign-in-refused", "check all three.")).toBe("Check all three.");
  });

  it("says when to try again", () => {
    expect(refused(429, "rate-limited", "", 1)).toContain("Try again in 1 second.");
    expect(refused(429, "rate-limited", "", 30)).toContain("Try again in 30 seconds.");
    expect(refused(429, "too-often", "", 600)).toContain("Try again in 10 minutes.");
    expect(refused(429, "too-often")).toContain("Try again in a minute.");
  });

  it("says how a desk is set up where there is none", () => {
    expect(refused(404, "path-not-found")).toBe(NO_DESK);
    expect(NO_DESK).toContain("nightlight desk add-officer");
  });

  it("is told of every refusal, also of one that is not known here", () => {
    expect(refused(410, "call-over")).toBe("Nobody is rung for this call any more.");
    expect(refused(404, "invitation-not-found")).toMatch(/invite you again/);
    expect(refused(500, "internal", "something broke here")).toBe("Something broke here.");
    expect(refused(502, "")).toBe("This did not work. Try again.");
    expect(refusalWords(new TypeError("Failed to fetch"))).toBe(NO_ANSWER);
  });

  it("holds none of the server's words where it may reach the console", () => {
    expect(new Refusal(409, "call-taken", "Farid has taken this call").message).not.toContain("Farid");
  });

  it("says of a line what to do about it", () => {
    expect(lineTroubleWords(new VoiceError("microphone-refused", ""))).toMatch(/Allow it in the browser/);
    expect(lineTroubleWords(new VoiceError("call-refused", ""))).toMatch(/over, or not yours/);
    expect(lineTroubleWords(new Refusal(410, "call-over", ""))).toBe(
      "Nobody is rung for this call any more.",
    );
  });
});

describe("how a call stands", () => {
  it("is told in words, with who has it", () => {
    expect(stageWords(CALL)).toBe("With the assistant, finding out what is wrong");
    expect(stageWords({ ...CALL, state: "officer", officer: "Joan" })).toBe("With Joan");
    expect(stageWords({ ...CALL, state: "officer", officer: "Mei", yours: true })).toBe("You are talking");
    const onHold = { ...CALL, state: "on-hold", officer: "Joan" } as const;
    expect(stageWords(onHold)).toBe("On hold, with Joan on the line");
    expect(stageWords({ ...onHold, yours: true })).toBe("You have them on hold");
  });

  it("is told to who has lost their line to it", () => {
    expect(goneWords(undefined)).toBe("The call is over.");
    expect(goneWords(CALL)).toBe("Your line was lost. The assistant is with the caller again.");
    expect(goneWords({ ...CALL, state: "officer", officer: "Farid" })).toBe("Farid has this call now.");
    expect(goneWords({ ...CALL, state: "on-hold", officer: "Farid" })).toBe("Farid has this call now.");
    expect(goneWords({ ...CALL, state: "ringing" })).toMatch(/colleagues are being rung/);
  });

  it("is told plainly when nobody came", () => {
    expect(unreachedTitle("PAVE")).toBe("Nobody reached the call for PAVE: the assistant is with the caller");
    expect(unreachedTitle(null)).toBe("Nobody reached a call: the assistant is with the caller");
    expect(UNREACHED_WHY["accepted-in-vain"]).toMatch(/accepted and did not reach the caller/);
  });
});

it("being on duty says what it does", () => {
  expect(dutyWords(true, ["PAVE", "SPF", "SOS"])).toBe(
    "On duty: your desk rings for calls to PAVE, SPF and SOS.",
  );
  expect(dutyWords(true, ["PAVE"], false)).toBe("On duty, but not connected: your desk does not ring now.");
  expect(dutyWords(false, ["PAVE"])).toBe("Off duty: your desk does not ring.");
});

it("times are minutes and seconds, and hours once there are any", () => {
  expect([clockOf(7), clockOf(760), clockOf(3723), clockOf(-1), clockOf(Number.NaN)]).toEqual([
    "0:07",
    "12:40",
    "1:02:03",
    "0:00",
    "0:00",
  ]);
  const then = "2026-11-24T18:00:00Z";
  expect(elapsed(then, Date.parse(then) + 61_000)).toBe("1:01");
  expect(inMinutes(then, Date.parse(then) + 59_000)).toBe("less than a minute");
  expect(inMinutes(then, Date.parse(then) + 121_000)).toBe("2 minutes");
});

describe("what the assistant is at, and the time after a call", () => {
  it("is told in plain words where the server tells it", () => {
    const step = { code: "taking-the-address", words: "taking the address" };
    expect(stageWords({ ...CALL, step })).toBe("With the assistant, taking the address");
    expect(stageWords({ ...CALL, step, state: "ringing" })).toBe("Ringing");
  });

  it("counts down, and says nothing when it is over or there is none", () => {
    const until = "2026-11-24T18:01:00Z";
    const at = (time: string) => wrapUpWords(until, Date.parse(time));
    expect(at("2026-11-24T18:00:15Z")).toBe("Wrapping up: your desk rings again in 0:45.");
    expect(at("2026-11-24T18:01:00Z")).toBeNull();
    expect(wrapUpWords(null, 0)).toBeNull();
  });
});
