/** `/`: what Nightlight is, in a few words, and the way to the demonstration. */
import { Link } from "react-router";
import { Facade } from "../../brand/Facade.tsx";
import { LampWindow } from "../../brand/LampWindow.tsx";
import { paths } from "../../paths.ts";
import { ArrowIcon } from "../../ui/icons.tsx";

export function LandingPage() {
  return (
    <section className="night relative isolate overflow-hidden bg-[#0f1a35] text-ink">
      <title>Nightlight – Voice AI Support for Singapore’s Crisis Landscape</title>
      <Facade
        columns={16}
        rows={7}
        className="absolute inset-0 -z-10 size-full [mask-image:linear-gradient(270deg,black_15%,transparent_68%)] max-md:[mask-image:linear-gradient(0deg,black_10%,transparent_45%)]"
      />
      <div className="mx-auto grid min-h-[calc(100svh-7rem)] max-w-[86rem] items-center gap-12 px-4 py-16 sm:px-6 md:grid-cols-[1.25fr_1fr]">
        <div>
          <h1 className="max-w-[17ch] font-serif text-display font-medium">
            Voice AI Support for Singapore’s Crisis Landscape
          </h1>
          <p className="mt-6 max-w-[48ch] text-lg text-quiet">
            When the office is dark and the phone still rings, Nightlight answers. It listens, works out the
            danger, brings in the right agency, and leaves the morning team a clear case note.
          </p>
          <p className="mt-9">
            <Link
              to={paths.demo}
              className="inline-flex min-h-16 items-center gap-3 rounded-full bg-lamp px-8 text-lg font-bold text-on-lamp shadow-[0_0_0_6px_rgb(255_197_102/0.14),0_0_48px_-4px_rgb(255_197_102/0.45)] hover:bg-[#ffd488]"
            >
              Explore our demo
              <ArrowIcon className="size-6" />
            </Link>
          </p>
        </div>
        <div className="flex justify-center">
          <LampWindow state="idle" className="h-56 md:h-auto md:w-full md:max-w-80" />
        </div>
      </div>
    </section>
  );
}
