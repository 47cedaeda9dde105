/** One call to hear, made by Nightlight itself. Nothing of it is fetched before somebody asks. */
import { type ComponentType, useState } from "react";
import { PlayIcon } from "../../../ui/public-icons.tsx";

type Opened = "not yet" | "fetching" | "failed" | ComponentType;

export function SampleCall() {
  // In an object: React would take a component for a way to work out the state.
  const [{ opened }, setOpened] = useState<{ opened: Opened }>({ opened: "not yet" });
  const open = async () => {
    setOpened({ opened: "fetching" });
    setOpened(
      await import("./SamplePlayer.tsx").then(
        ({ SamplePlayer }) => ({ opened: SamplePlayer }),
        () => ({ opened: "failed" }),
      ),
    );
  };
  const Player = typeof opened === "function" ? opened : null;

  return (
    <section aria-labelledby="sample-heading" className="night sample-call bg-block py-20 text-ink">
      <div className="mx-auto max-w-[86rem] px-4 sm:px-6">
        <h2 id="sample-heading" className="font-serif text-title font-medium">
          Hear one call
        </h2>
        <p className="mt-2 max-w-[62ch] text-quiet">
          A minute and a half, with captions, and the case note that came of it. The caller is fictional and
          both voices are synthetic; it is recorded from Nightlight as it runs here, and uncut. It speaks of
          violence at home.
        </p>
        {Player ? (
          <Player />
        ) : (
          <>
            <button type="button" onClick={open} className="outline-button mt-6 noscript:hidden">
              <PlayIcon />
              Play the sample call
            </button>
            <noscript>
              <p className="mt-3">It needs JavaScript, which is off in this browser.</p>
            </noscript>
            <p role="status" className="mt-3 empty:hidden">
              {opened === "failed" &&
                "The call could not be fetched. Please try again, or load the page again."}
            </p>
          </>
        )}
      </div>
    </section>
  );
}
