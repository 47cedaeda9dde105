/** How well callers are served, in figures that can be checked: right, found, and wrongly alarmed. */
import { MEASURED } from "virtual:measured";
import { longDate, type Share } from "./measured.ts";

const { text, voice, reply } = MEASURED;

const FIGURES: readonly (readonly [count: string, rest: string, what: string])[] = [
  [...counted(text.agency), "callers were matched with the right agency, or rightly with none"],
  [...counted(text.highRisk), "callers with a life at risk were recognised"],
  [...counted(text.falseAlarms), "callers in no danger raised a false alarm"],
  [
    (reply.medianMs / 1000).toFixed(1),
    "seconds",
    "from a caller’s last word to the reply: three are a pause on purpose, so that nobody is cut off",
  ],
];

function counted({ found, of }: Share): [count: string, rest: string] {
  return [`${found}`, `of ${of}`];
}

export function MeasuredSection() {
  return (
    <section aria-labelledby="measured-heading" className="mx-auto max-w-[86rem] px-4 pt-20 sm:px-6 sm:pt-24">
      <h2 id="measured-heading" className="font-serif text-section font-medium">
        What has been measured
      </h2>
      <p className="mt-3 max-w-[62ch] text-quiet">
        With simulated callers, in writing, whose words nobody who worked on Nightlight had read. Real callers
        will differ.
      </p>
      <dl className="mt-10 grid gap-x-10 gap-y-8 sm:grid-cols-2 lg:grid-cols-4">
        {FIGURES.map(([count, rest, what]) => (
          <div key={what} className="flex flex-col-reverse justify-end border-t-2 border-lamp pt-4">
            <dt className="max-w-[28ch] text-quiet">{what}</dt>
            <dd className="font-serif text-section font-medium tabular-nums">
              {count} <span className="text-title">{rest}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-8 max-w-[72ch] text-sm text-quiet">
        Measured on {longDate(text.date)}, the reply on {longDate(reply.date)}. Over a voice call more is
        misheard: of {voice.agency.of} simulated callers who rang on {longDate(voice.date)},{" "}
        {voice.agency.found} reached the right agency, {voice.highRisk.found} of {voice.highRisk.of} with a
        life at risk were recognised, and there were {voice.falseAlarms.found} false alarms among{" "}
        {voice.falseAlarms.of}.
      </p>
    </section>
  );
}
