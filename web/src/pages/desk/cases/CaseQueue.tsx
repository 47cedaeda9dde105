/** The cases of the desk, in the server's order: urgent first, then what came back, then what has waited longest. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { type KeyboardEvent, memo, useState } from "react";
import type { CaseSummary } from "../../../desk/case-contract.ts";
import { openQueue, queueOf } from "../../../desk/case-queries.ts";
import { KINDS, stateWords, waitedWords, waitWords, within } from "../../../desk/case-words.ts";
import { caseFragment, NEW_CASE } from "../../../desk/desk-address.ts";
import { refusalWords } from "../../../desk/refusal-words.ts";
import { useMinute } from "../../../desk/use-clock.ts";
import { formatDate } from "../../../records/format.ts";
import { Button } from "../../../ui/Button.tsx";
import { PLAIN } from "../desk-style.ts";
import { Trouble } from "../Trouble.tsx";
import { CasePills } from "./CasePills.tsx";

type Filter = "open" | "waiting" | "yours" | "closed";

const FILTERS: readonly (readonly [filter: Filter, name: string])[] = [
  ["open", "Open"],
  ["waiting", "Waiting"],
  ["yours", "Yours"],
  ["closed", "Closed"],
];

const PASSES: Readonly<Record<Filter, (each: CaseSummary) => boolean>> = {
  open: () => true,
  waiting: ({ state }) => state === "waiting",
  yours: ({ yours }) => yours,
  closed: () => true,
};

const NONE: Readonly<Record<Filter, string>> = {
  open: "No case is open.",
  waiting: "No case waits.",
  yours: "You have no case.",
  closed: "No case is closed.",
};

interface CaseQueueProps {
  chosen: string | null;
  mayEnter: boolean;
}

export function CaseQueue({ chosen, mayEnter }: CaseQueueProps) {
  const [filter, setFilter] = useState<Filter>("open");
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    filter === "closed" ? queueOf("closed") : openQueue,
  );
  const cases = data?.pages.flatMap((page) => page.cases).filter(PASSES[filter]);

  return (
    <section aria-labelledby="cases" className="grid content-start gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id="cases" className="text-lg font-bold">
          Queue
        </h2>
        {cases && (
          <p className="text-sm text-quiet tabular-nums">
            {cases.length}
            {hasNextPage ? " and more" : ""}
          </p>
        )}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's */}
      <div role="group" aria-label="Which cases" className="grid grid-cols-4 rounded-control bg-raised p-1">
        {FILTERS.map(([code, name]) => (
          <button
            key={code}
            type="button"
            aria-pressed={filter === code}
            onClick={() => setFilter(code)}
            className="min-h-11 rounded-[0.5rem] text-sm font-semibold text-quiet hover:text-ink -outline-offset-1 outline-line-strong aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:not-focus-visible:outline-1"
          >
            {name}
          </button>
        ))}
      </div>
      <Trouble words={error ? refusalWords(error) : null} className="empty:hidden" />
      {!cases && !error && (
        <p role="status" className="px-3 py-2 text-quiet">
          Reading the cases
        </p>
      )}
      {cases?.length === 0 && (
        <p role="status" className="rounded-control bg-raised px-4 py-3 text-quiet">
          {NONE[filter]}
        </p>
      )}
      {cases && cases.length > 0 && (
        <ul aria-label="Cases" className="divide-y divide-line" onKeyDown={toNeighbour}>
          {cases.map((each) => (
            <Row key={each.callId} of={each} chosen={each.callId === chosen} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button
          unavailable={isFetchingNextPage}
          className={`${PLAIN} justify-self-start`}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? "Reading more cases" : "More cases"}
        </Button>
      )}
      {mayEnter && (
        <a
          href={caseFragment(NEW_CASE)}
          aria-current={chosen === NEW_CASE ? "page" : undefined}
          className="quiet-link justify-self-start px-3 text-sm"
        >
          Enter a call taken elsewhere
        </a>
      )}
    </section>
  );
}

const Row = memo(function Row({ of, chosen }: { of: CaseSummary; chosen: boolean }) {
  const now = useMinute();
  const { callId, title, agency, kind, state, since, urgent, startedAt, openFollowUps } = of;
  return (
    <li className="desk-row">
      <a
        href={caseFragment(callId)}
        aria-current={chosen || undefined}
        data-urgent={urgent}
        className="grid min-h-16 grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 border-l-4 border-transparent py-2.5 pr-2 pl-3 no-underline hover:bg-raised data-[urgent=true]:border-l-urgent aria-[current=true]:bg-raised aria-[current=true]:outline-2 aria-[current=true]:outline-lamp-ink aria-[current=true]:-outline-offset-2"
      >
        <span dir="auto" className="line-clamp-2 font-semibold [overflow-wrap:anywhere]">
          {title}
        </span>
        <span className="text-sm font-semibold whitespace-nowrap tabular-nums">
          {state !== "closed" && (
            <>
              <span aria-hidden="true">{waitWords(since, now)}</span>
              <span className="sr-only">{waitedWords(since, now)}</span>
            </>
          )}
        </span>
        <span className="col-span-2 text-sm text-quiet">
          {agency ?? "No agency"}, {within(stateWords(of))}
          {openFollowUps > 0 && `, ${openFollowUps} ${openFollowUps === 1 ? "follow-up" : "follow-ups"}`}
        </span>
        <span className="col-span-2 text-sm text-quiet tabular-nums">
          {KINDS[kind]} of {formatDate(startedAt)}
        </span>
        <span className="col-span-2 mt-1 flex flex-wrap gap-1.5 empty:hidden">
          <CasePills of={of} now={now} />
        </span>
      </a>
    </li>
  );
});

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

function toNeighbour(event: KeyboardEvent<HTMLUListElement>): void {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (at < 0) return;
  event.preventDefault();
  links[step(at, links.length - 1)]?.focus();
}
