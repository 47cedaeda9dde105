/** The people one can ring, for a visitor who needs more than an AI. */
import { EmergencyList } from "../../ui/EmergencyList.tsx";

export function PeopleSection() {
  return (
    <section aria-labelledby="people-heading" className="mx-auto max-w-[86rem] px-4 py-20 sm:px-6">
      <div className="grid gap-x-16 gap-y-8 md:grid-cols-[1fr_1.2fr]">
        <div>
          <h2 id="people-heading" className="font-serif text-section font-medium">
            People you can reach now
          </h2>
          <p className="mt-3 max-w-[40ch] text-balance text-quiet">
            An AI is not always enough. These are people in Singapore, and asking them is never too small a
            reason. For stress, worry or low mood there is also mindline, day and night:{" "}
            <a href="tel:1771" className="font-semibold text-ink underline underline-offset-4">
              1771
            </a>
            .
          </p>
        </div>
        <EmergencyList />
      </div>
    </section>
  );
}
