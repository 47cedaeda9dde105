/** The ways to the desk's places; that of the cases tells how many wait, wherever one is. */
import { caseFragment, type Place, type PlaceId } from "../../desk/desk-address.ts";
import { useWaitingCases, waitingWords } from "../../desk/use-waiting-cases.ts";
import { AlertIcon } from "../../ui/icons.tsx";
import { RaisedIcon } from "./desk-icons.tsx";

interface PlaceLinksProps {
  places: readonly Place[];
  here: PlaceId;
  /** Where one was last among the cases. */
  lastOfCases: string;
}

export function PlaceLinks({ places, here, lastOfCases }: PlaceLinksProps) {
  const waiting = useWaitingCases(places.some(({ id }) => id === "cases"));
  const words = waitingWords(waiting);
  const href = (id: PlaceId) => {
    if (id !== "cases") return `#${id}`;
    // From elsewhere, to the case that was left open.
    return here === "cases" ? caseFragment(null) : lastOfCases;
  };
  return (
    <nav aria-label="Desk" className="-mx-1 flex flex-wrap gap-x-5">
      {places.map(({ id, name }) => (
        <a
          key={id}
          href={href(id)}
          aria-current={here === id ? "page" : undefined}
          aria-describedby={id === "cases" && words ? "cases-waiting" : undefined}
          className="quiet-link px-1 no-underline aria-[current=page]:underline"
        >
          {name}
          {id === "cases" && words && (
            <span
              aria-hidden="true"
              title={words}
              data-raised={waiting.urgent + waiting.escalated > 0}
              className="inline-flex items-center gap-1 rounded-full border border-line-strong px-2 text-sm tabular-nums data-[raised=true]:border-urgent/40 data-[raised=true]:bg-urgent-surface data-[raised=true]:text-urgent"
            >
              {waiting.urgent > 0 && <AlertIcon className="size-3.5" />}
              {waiting.escalated > 0 && <RaisedIcon className="size-3.5" />}
              {waiting.waiting}
              {waiting.more && "+"}
            </span>
          )}
        </a>
      ))}
      {/* Said when it changes: nobody needs to look for a case that came back. */}
      <span id="cases-waiting" role="status" className="sr-only">
        {words}
      </span>
    </nav>
  );
}
