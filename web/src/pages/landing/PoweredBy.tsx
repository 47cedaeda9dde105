/** Whose voice platform the calls speak, and what this site is and is not. */
import { useSiteLinks } from "../../api/use-site-links.ts";
import { ExternalIcon } from "../../ui/public-icons.tsx";

export function PoweredBy() {
  const { platform } = useSiteLinks();
  return (
    <section aria-labelledby="powered-heading" className="mx-auto max-w-[86rem] px-4 py-20 sm:px-6">
      <div className="grid gap-x-16 gap-y-10 md:grid-cols-2">
        <div>
          <h2 id="powered-heading" className="font-serif text-title font-medium">
            Powered by Vapi’s voice platform
          </h2>
          <p className="mt-2 max-w-[46ch] text-balance text-quiet">
            Calls are started, carried and reported in the platform’s own formats.
          </p>
          <p className="mt-5">
            <a href={platform} target="_blank" rel="noopener noreferrer" className="outline-button">
              Explore
              <ExternalIcon className="size-4" />
              <span className="sr-only">Vapi (opens in a new tab)</span>
            </a>
          </p>
        </div>
        <div>
          <h2 className="font-serif text-title font-medium">This is a demonstration</h2>
          <p className="mt-2 max-w-[52ch] text-quiet">
            Nightlight is an AI, not a person. Here it connects nobody: a transfer is said, recorded and
            shown, and no agency is dialled. The records on the dashboard are fictional, and a call you make
            is shown to your browser alone; this server deletes it 30 days later, unless its operator has set
            another time. If you need help now, please ring one of the numbers at the top of this page.
          </p>
        </div>
      </div>
    </section>
  );
}
