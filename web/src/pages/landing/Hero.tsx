/** What the service is, in one look: a block of flats at night, and one window lit. */
import { Link } from "react-router";
import block from "../../brand/scenes/block-at-night.svg";
import { paths, SEGMENT } from "../../paths.ts";
import { ArrowIcon } from "../../ui/public-icons.tsx";

export function Hero() {
  return (
    <section className="night relative isolate overflow-hidden bg-block text-ink">
      <img src={block} alt="" width={1040} height={900} className="hero-block" />
      <div className="mx-auto max-w-[86rem] px-4 pt-16 pb-76 sm:px-6 md:py-28 lg:py-36">
        <h1 className="max-w-[17ch] font-serif text-display font-medium">
          Voice AI Support for Singapore's Crisis Landscape
        </h1>
        <p className="mt-6 max-w-[44ch] text-lg md:max-w-[min(44ch,40vw)] text-quiet">
          When the office is dark and the phone still rings, Nightlight answers. It listens 24/7, triages each
          caller, and gives the duty team a case note as soon as the call ends, so that responders can keep to
          urgent care.
        </p>
        <p className="mt-9 flex flex-wrap items-center gap-x-8 gap-y-4">
          <Link to={paths.demo} className="lamp-button">
            Explore our demo
            <ArrowIcon className="size-6" />
          </Link>
          <a href={`#${SEGMENT}`} className="quiet-link">
            Read about our mission
          </a>
        </p>
      </div>
    </section>
  );
}
