/** Whom the service is for: three cards, each of which opens into a modal. */
import { Link } from "react-router";
import { paths, SEGMENT } from "../../paths.ts";
import { ArrowIcon } from "../../ui/public-icons.tsx";
import { SegmentCard } from "./SegmentCard.tsx";
import { SEGMENTS } from "./segments.ts";

export function SegmentSection() {
  return (
    <section
      id={SEGMENT}
      aria-labelledby="segment-heading"
      className="mx-auto max-w-[86rem] px-4 py-20 sm:px-6 sm:py-24"
    >
      <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-4">
        <h2 id="segment-heading" className="font-serif text-section font-medium">
          Built for Modern Crisis Response
        </h2>
        <Link to={paths.demo} className="text-way">
          Try our Demo
          <ArrowIcon />
        </Link>
      </div>
      <ul className="mt-12 grid gap-x-8 gap-y-14 md:grid-cols-3">
        {SEGMENTS.map((segment) => (
          <SegmentCard key={segment.title} segment={segment} />
        ))}
      </ul>
    </section>
  );
}
