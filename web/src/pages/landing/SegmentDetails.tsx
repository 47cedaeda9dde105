/** What stands in the modal of a card. Loaded when somebody turns to the card: most visitors read on. */
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { ArrowIcon } from "../../ui/public-icons.tsx";
import { DETAILS } from "./segment-details.ts";
import type { Segment } from "./segments.ts";

export function SegmentDetails({ segment: { title, modalTitle } }: { segment: Segment }) {
  const { paragraphs, picture, action } = DETAILS[title];
  return (
    <>
      <img src={picture.src} alt={picture.alt} width={640} height={440} loading="lazy" />
      <div className="px-5 py-6 sm:px-8">
        <h2 className="font-serif text-[1.3125rem] leading-tight font-medium sm:text-title">{modalTitle}</h2>
        {paragraphs.map((paragraph) => (
          <p key={paragraph} className="mt-4">
            {paragraph}
          </p>
        ))}
        <p className="mt-7">
          <Link to={paths.demo} className="lamp-button">
            {action}
            <ArrowIcon />
          </Link>
        </p>
      </div>
    </>
  );
}
