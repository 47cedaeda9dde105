/** What was measured, as `virtual:measured` has it. */
export interface Share {
  found: number;
  of: number;
}

export interface Measurement {
  /** As 2026-11-22. */
  date: string;
  /** The right agency, or rightly none. */
  agency: Share;
  /** Of callers whose life, or another's, is at risk. */
  highRisk: Share;
  /** Of callers who are in no danger. */
  falseAlarms: Share;
}

export interface Measured {
  text: Measurement;
  voice: Measurement;
  /** From the end of the caller's last sound to the first of the reply, as the caller hears them. */
  reply: { date: string; medianMs: number };
}

/** As 22 November 2026. */
export function longDate(date: string): string {
  return new Date(`${date}T00:00:00Z`).toLocaleDateString("en-GB", {
    ...{ day: "numeric", month: "long", year: "numeric", timeZone: "UTC" },
  });
}
