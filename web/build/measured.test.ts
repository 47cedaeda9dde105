/** Which figures are read from the evaluations' documents. */
import { byText, byVoice, ofReplies, readMeasured } from "./measured.ts";

const SET = (name: string, figures: string) => `## ${name}\n\n${figures}\n`;
const TEXT = `# Evaluation

Measured: 2026-11-22, a machine.

${SET("fifth", "9 callers. Agency right: 90.0 % (9/10). Mode right: 95 %. High risk found: 4/4. False alarms: 1/6. Rules broken: 0.")}
${SET("kept aside", "20 callers. Agency right: 95.0 % (19/20). Mode right: 95 %. High risk found: 7/8. False alarms: 0/12. Rules broken: 0.")}
${SET("open", "900 callers. Agency right: 99.0 % (891/900). Mode right: 95 %. High risk found: 300/300. False alarms: 2/600. Rules broken: 0.")}`;

test("the callers that may be read by those who work on the program are left out", () => {
  expect(byText(TEXT)).toEqual({
    date: "2026-11-22",
    agency: { found: 28, of: 30 },
    highRisk: { found: 11, of: 12 },
    falseAlarms: { found: 1, of: 18 },
  });
});

test("by voice, not by text", () => {
  const rows = `Measured: 2026-11-22, a machine.

|  | by text | by voice |
| agency right | 60/62 | 50/62 (81 %) |
| transfer right | 62/62 | 51/62 (82 %) |
| high risk found | 23/23 | 22/23 (96 %) |
| false alarms | 0/39 | 2/39 (5 %) |`;
  expect(byVoice(rows)).toEqual({
    date: "2026-11-22",
    agency: { found: 50, of: 62 },
    highRisk: { found: 22, of: 23 },
    falseAlarms: { found: 2, of: 39 },
  });
});

test("the reply is the middle one at the helpline's own wait, one call at a time", () => {
  const table =
    "- Date: 2026-11-21, commit x\n| 3 s | 1 | 20 of 20 | 3053 ms | 3092 ms |\n| 0.4 s | 1 | 20 of 20 | 453 ms |";
  expect(ofReplies(table)).toEqual({ date: "2026-11-21", medianMs: 3053 });
});

test("a document that no longer says a figure stops the build", () => {
  expect(() => byText(TEXT.replace("False alarms: 1/6", "False alarms: one"))).toThrow("no longer says");
  expect(() => byVoice("Measured: 2026-11-22, a machine.")).toThrow("no longer says");
  expect(() => ofReplies("")).toThrow("the bench");
});

test("the documents of today say all of it", () => {
  const { text, voice, reply } = readMeasured();
  for (const { found, of } of [text.agency, text.highRisk, text.falseAlarms, voice.agency, voice.highRisk]) {
    expect(of).toBeGreaterThan(0);
    expect(found).toBeLessThanOrEqual(of);
  }
  expect(reply.medianMs).toBeGreaterThan(0);
});
