/** Where the overview goes: its charts are fetched when the reader comes near them. */
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import type { History } from "../../records/history.ts";

const RecordsOverview = lazy(async () => ({
  default: (await import("./overview/RecordsOverview.tsx")).RecordsOverview,
}));
/** Fetched this far before it is seen. */
const AHEAD = "300px";

export function OverviewPlace({ history }: { history: History }) {
  const place = useRef<HTMLElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!place.current || near) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [near]);
  return (
    // The place is kept, so that nothing below it jumps when the charts come.
    <section
      ref={place}
      aria-label="Overview of the records"
      className="mt-8 min-h-[44rem] md:min-h-[27rem] lg:min-h-[19rem]"
    >
      {near && (
        <Suspense fallback={null}>
          <RecordsOverview history={history} />
        </Suspense>
      )}
    </section>
  );
}
