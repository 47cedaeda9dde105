/** One card, and the modal it opens. */
import { lazy, Suspense, useState } from "react";
import { PlusIcon } from "../../ui/public-icons.tsx";
import type { Segment } from "./segments.ts";

const fetchModal = () => import("./SegmentModal.tsx");
const SegmentModal = lazy(async () => ({ default: (await fetchModal()).SegmentModal }));

/** Before it is pressed, so that the modal is there at once. What fails here is tried again then. */
const fetchAhead = () => void fetchModal().catch(() => {});

export function SegmentCard({ segment: { title, text, picture } }: { segment: Segment }) {
  const [shown, setShown] = useState<"never" | "open" | "closed">("never");
  return (
    <li>
      <img
        src={picture.src}
        alt={picture.alt}
        width={640}
        height={440}
        loading="lazy"
        className="w-full rounded-panel"
      />
      <h3 className="mt-6 font-serif text-title font-medium">{title}</h3>
      <p className="mt-2 max-w-[44ch] text-quiet">{text}</p>
      <button
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={() => setShown("open")}
        className="text-way mt-3"
      >
        <PlusIcon />
        Expand<span className="sr-only"> {title}</span>
      </button>
      {shown !== "never" && (
        <Suspense>
          <SegmentModal of={title} open={shown === "open"} onClose={() => setShown("closed")} />
        </Suspense>
      )}
    </li>
  );
}
