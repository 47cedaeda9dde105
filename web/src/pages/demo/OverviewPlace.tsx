/**
 * The records in pictures, folded away until they are asked for: only then is fetched what draws them.
 * That they are shown is in the address, so that a reload and a shared link show them again.
 */
import { type ComponentType, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import type { History } from "../../records/history.ts";
import { Button } from "../../ui/Button.tsx";

const PICTURES = "pictures";
const SHOWN = "shown";

export function OverviewPlace({ history }: { history: History }) {
  const [params, setParams] = useSearchParams();
  const shown = params.get(PICTURES) === SHOWN;
  const toggle = () =>
    setParams(
      (current) => {
        if (shown) current.delete(PICTURES);
        else current.set(PICTURES, SHOWN);
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  return (
    <section aria-label="Overview of the records" className="mt-1 print:hidden">
      <h3>
        <Button
          aria-expanded={shown}
          aria-controls="overview-pictures"
          onClick={toggle}
          className="group inline-flex min-h-11 items-center gap-2 rounded-control font-semibold text-link underline underline-offset-4 hover:decoration-2"
        >
          <svg
            viewBox="0 0 8 12"
            aria-hidden="true"
            focusable="false"
            className="h-3 w-2 shrink-0 fill-current transition-transform group-aria-expanded:rotate-90"
          >
            <path d="M1 1v10l6-5z" />
          </svg>
          The calls in pictures
        </Button>
      </h3>
      <div id="overview-pictures" className={shown ? "mt-2 mb-8" : ""}>
        {shown && <Pictures history={history} />}
      </div>
    </section>
  );
}

/** A module that cannot be fetched is no reason for the page, and a call on it, to fail. */
function Pictures({ history }: { history: History }) {
  const [Overview, setOverview] = useState<ComponentType<{ history: History }> | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    import("./overview/RecordsOverview.tsx").then(
      ({ RecordsOverview }) => setOverview(() => RecordsOverview),
      () => setFailed(true),
    );
  }, []);
  if (Overview) return <Overview history={history} />;
  return (
    <p role="status" className="text-quiet">
      {failed
        ? "The pictures could not be fetched. Close and open them to try again."
        : "Fetching the pictures…"}
    </p>
  );
}
