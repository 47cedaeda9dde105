/** What the machine and each person did with a case, in order. */
import type { TimelineEntry } from "../../../desk/case-contract.ts";
import { formatDate } from "../../../records/format.ts";

export function CaseTimeline({ timeline }: { timeline: readonly TimelineEntry[] }) {
  return (
    <section aria-labelledby="case-timeline">
      <h3 id="case-timeline" className="text-lg font-bold">
        Timeline
      </h3>
      <ol className="mt-2 grid gap-2">
        {timeline.map(({ at, by, what, words }, i) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: what was done has no identity but its place
            key={i}
            className="grid gap-x-4 sm:grid-cols-[9.5rem_minmax(0,1fr)] sm:items-baseline"
          >
            <time dateTime={at} className="text-sm text-quiet tabular-nums">
              {formatDate(at)}
            </time>
            <div>
              <p>
                <span className="inline-block first-letter:uppercase">{what}</span>{" "}
                <span className="text-sm text-quiet">{by}</span>
              </p>
              {words && (
                <p dir="auto" className="text-sm [overflow-wrap:anywhere]">
                  {words}
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
