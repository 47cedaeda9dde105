/** One card, and the modal it opens. */
import { lazy, Suspense, useState } from "react";
import { Modal } from "../../ui/Modal.tsx";
import { PlusIcon } from "../../ui/public-icons.tsx";
import type { Segment } from "./segments.ts";

const fetchDetails = () => import("./SegmentDetails.tsx");
const SegmentDetails = lazy(async () => ({ default: (await fetchDetails()).SegmentDetails }));

/** Before the button is pressed, so that they are there at once. What fails here is tried again then. */
const fetchAhead = () => void fetchDetails().catch(() => {});

export function SegmentCard({ segment }: { segment: Segment }) {
  const { title, text, picture, modalTitle } = segment;
  const [open, setOpen] = useState(false);
  return (
    <li>
      <img
        src={picture.src}
        alt={picture.alt}
        width={640}
        height={440}
        loading="lazy"
        className="w-full rounded-panel bg-block"
      />
      <h3 className="mt-6 font-serif text-title font-medium">{title}</h3>
      <p className="mt-2 max-w-[44ch] text-balance text-quiet">{text}</p>
      <button
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={fetchAhead}
        onFocus={fetchAhead}
        onClick={() => setOpen(true)}
        className="text-way mt-3"
      >
        <PlusIcon />
        Expand<span className="sr-only"> {title}</span>
      </button>
      <Modal title={modalTitle} open={open} onClose={() => setOpen(false)}>
        <Suspense fallback={<div className="min-h-96" />}>
          <SegmentDetails segment={segment} />
        </Suspense>
      </Modal>
    </li>
  );
}
