/**
 * Looks at the page of records from before its scripts run: when its first rows are there, and how soon after a key what the
 * key asks for is. Its frames, tasks and keys are `page-probe.ts`'s. Holds no words of a record but those of one cell.
 */

/**
 * What a key brings about: more records, the next page of the table, a record's note with the words it rests on, what was
 * said in it.
 */
export type BroughtAbout = "more" | "turned" | "note" | "said";

export interface DashboardProbe {
  /** From the navigation's start to the frame that has rows, in milliseconds. */
  firstRows(): Promise<number>;
  /** Looks out for what the next key brings about. */
  awaits(what: BroughtAbout): void;
  /** From that key to the frame that shows it, in milliseconds. */
  came(): Promise<number>;
  /** How many records the page says it has, of a history that is longer. */
  records(): number;
}

declare global {
  interface Window {
    dashboard: DashboardProbe;
  }
}

/** Runs in the page, as it stands: it may use nothing from outside of it. */
export function installDashboardProbe(): void {
  /** What has not come by then does not come. */
  const COMES_WITHIN_MS = 20_000;
  const here = () => {
    for (const { textContent } of document.querySelectorAll("p")) {
      const [, records] = /^The first ([\d,]+) records are here/.exec(textContent ?? "") ?? [];
      if (records) return records;
    }
    return "";
  };
  const inThePanel = (selector: string) => document.querySelectorAll(`[role="dialog"] ${selector}`).length;
  const looks: Record<BroughtAbout, () => string> = {
    more: here,
    turned: () => document.querySelector('tbody [role="cell"]')?.textContent ?? "",
    // Of what was said nothing is outstanding: while it is, the panel says so.
    note: () => (inThePanel("dl") > 0 && inThePanel('section p[role="status"]') === 0 ? "whole" : ""),
    said: () => String(inThePanel("li[data-role]")),
  };
  let pressedAt = 0;
  window.addEventListener(
    "keydown",
    ({ timeStamp, isTrusted }) => {
      if (isTrusted) pressedAt = timeStamp;
    },
    { capture: true },
  );
  /** Resolves in the first frame in which it is so. */
  const frameIn = (isSo: () => boolean) =>
    new Promise<number>((resolve, reject) => {
      const givenUp = performance.now() + COMES_WITHIN_MS;
      const look = () => {
        const now = performance.now();
        if (isSo()) resolve(now);
        else if (now > givenUp) reject(new Error("what was waited for did not come"));
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    });

  const rows = frameIn(() => document.querySelector('tbody [role="cell"]') !== null);
  let coming: Promise<number> = Promise.reject(new Error("nothing is awaited"));
  for (const promise of [rows, coming]) promise.catch(() => {});
  window.dashboard = {
    firstRows: () => rows,
    awaits: (what) => {
      const look = looks[what];
      const before = look();
      pressedAt = 0;
      coming = frameIn(() => pressedAt > 0 && look() !== before).then((shownAt) => shownAt - pressedAt);
      coming.catch(() => {});
    },
    came: () => coming,
    records: () => Number(here().replaceAll(",", "")),
  };
}
