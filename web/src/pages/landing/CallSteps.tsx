/** What happens in a call, in four pictures that one cord of light runs through. */
import agency from "../../brand/scenes/step-agency.svg";
import danger from "../../brand/scenes/step-danger.svg";
import listens from "../../brand/scenes/step-listens.svg";
import note from "../../brand/scenes/step-note.svg";

const STEPS = [
  {
    step: "It listens",
    what: "It answers 24/7 and asks first whether you are safe. Then one question at a time, and no is an answer.",
    picture: listens,
  },
  {
    step: "It works out the danger",
    what: "Words that point to violence now, or to suicide, change what it asks next and mark the case as urgent.",
    picture: danger,
  },
  {
    step: "It brings in the right agency",
    what: "In danger by warm transfer: it says who is being connected, and the caller stays on the line. Otherwise by cold transfer: only if the caller agrees, a counsellor gets in touch within the next working day.",
    picture: agency,
  },
  {
    step: "The note is on the desk",
    what: "The team on duty reads a short case note as soon as the call ends: what was said, why it was flagged, what to do next.",
    picture: note,
  },
] as const;

export function CallSteps() {
  return (
    <section aria-labelledby="steps-heading" className="night bg-block pt-20 text-ink sm:pt-24">
      <div className="mx-auto max-w-[86rem] px-4 sm:px-6">
        <h2 id="steps-heading" className="font-serif text-section font-medium">
          What happens in a call
        </h2>
        <ol className="call-steps">
          {STEPS.map(({ step, what, picture }) => (
            <li key={step}>
              <img src={picture} alt="" width={320} height={220} loading="lazy" />
              <div>
                <h3 className="text-lg font-bold">{step}</h3>
                <p className="mt-1 text-quiet">{what}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
