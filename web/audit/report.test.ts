/** What an audit tells, and when its goals are reached. */
import { type Audited, reportOf } from "./report.ts";

const all = (score: number) => ({
  performance: score,
  accessibility: score,
  "best-practices": score,
  seo: score,
});
const by = { date: new Date("2026-11-21"), machine: "2 cores", lighthouse: "lighthouse@1", runs: 3 };
const page = (scores: Audited["scores"]): Audited => ({
  page: "/",
  device: "mobile",
  goals: { ...all(100), performance: 95 },
  scores,
  missed: [],
});

test("a report holds the date, the machine and every score", () => {
  const { text, reached } = reportOf([page({ ...all(100), performance: 97 })], by);
  expect(reached).toBe(true);
  expect(text).toContain("2026-11-21");
  expect(text).toContain("2 cores");
  expect(text).toContain("| / | mobile | 97 | 100 | 100 | 100 |");
});

test("a score under its goal is in bold, and the audit fails", () => {
  const { text, reached } = reportOf([page({ ...all(100), performance: 94 })], by);
  expect(reached).toBe(false);
  expect(text).toContain("**94** (goal 95)");
});
