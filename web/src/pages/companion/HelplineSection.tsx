/** What stands behind Candle: the helpline, and how a call to it goes. */
import { Link } from "react-router";
// By its address, not shared with the landing page: that would be one more file to fetch there.
import corridor from "../../brand/scenes/corridor.svg?url";
import { paths } from "../../paths.ts";
import { ArrowIcon } from "../../ui/public-icons.tsx";

const STEPS = [
  ["It listens", "First it asks whether you are safe. Then one question at a time, and no is an answer."],
  [
    "It works out the danger",
    "Danger comes first: violence, or thoughts of suicide, change what it asks and what it does.",
  ],
  [
    "It brings in the right agency",
    "In danger it says who is being connected, and you stay on the line. For anything else it asks you first.",
  ],
  ["The note is on the desk", "The team on duty reads a short case note, with what to do next."],
] as const;

export function HelplineSection() {
  return (
    <section aria-labelledby="helpline-heading" className="bg-raised">
      <div className="mx-auto grid max-w-[86rem] gap-x-16 gap-y-10 px-4 py-20 sm:px-6 md:grid-cols-[1fr_1.2fr]">
        <img
          src={corridor}
          alt="The long corridor of a block of flats at night, with one door open and lit."
          width={640}
          height={440}
          loading="lazy"
          className="h-full max-h-96 w-full rounded-panel bg-block object-cover md:max-h-none md:min-h-80"
        />
        <div>
          <h2 id="helpline-heading" className="font-serif text-section font-medium">
            When it is more than a bad day
          </h2>
          <p className="mt-3 max-w-[52ch] text-balance text-quiet">
            Candle has an older sibling. Nightlight is a voice line for people in crisis. Here it is a
            demonstration: it shows how a call at night can reach the right people by morning.
          </p>
          <ol className="mt-6 grid gap-x-10 gap-y-5 sm:grid-cols-2">
            {STEPS.map(([step, what]) => (
              <li key={step}>
                <h3 className="font-bold">{step}</h3>
                <p className="text-balance text-quiet">{what}</p>
              </li>
            ))}
          </ol>
          <p className="mt-7">
            <Link to={paths.demo} className="text-way">
              Try the Nightlight demo
              <ArrowIcon />
            </Link>
          </p>
        </div>
      </div>
    </section>
  );
}
