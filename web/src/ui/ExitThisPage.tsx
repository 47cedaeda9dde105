/**
 * "Exit this page", for someone who may be watched: a button, and Shift pressed three times. It blanks
 * the page, clears what this site stored in the browser, and goes somewhere neutral in such a way that
 * Back does not lead here. It cannot erase the browser's history, and says so.
 */
import { useEffect, useState } from "react";
import { LEAVING } from "../call/leaving.ts";
import { links } from "../paths.ts";

const PRESSES = 3;
const PRESSES_WITHIN_MS = 5000;

export const EXIT_LINK_ID = "exit-this-page";

export function ExitThisPage() {
  const [leaving, setLeaving] = useState(false);

  useEffect(() => {
    let presses: number[] = [];
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== "Shift") {
        presses = [];
        return;
      }
      if (event.repeat) return;
      presses = [...presses.filter((at) => event.timeStamp - at < PRESSES_WITHIN_MS), event.timeStamp];
      if (presses.length < PRESSES) return;
      setLeaving(true);
      leave();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);

  return (
    <>
      <a
        id={EXIT_LINK_ID}
        href={links.neutral}
        rel="noreferrer nofollow"
        onClick={(event) => {
          event.preventDefault();
          setLeaving(true);
          leave();
        }}
        className="inline-flex min-h-11 items-center rounded-control border-2 border-ink bg-paper px-4 text-sm font-bold whitespace-nowrap text-ink hover:bg-ink hover:text-paper"
        aria-describedby="exit-this-page-note"
      >
        Exit this page
      </a>
      <span id="exit-this-page-note" className="sr-only">
        Or press Shift three times. Your browser’s history is not erased.
      </span>
      {leaving && (
        <div role="status" className="fixed inset-0 z-50 grid place-items-center bg-white text-black">
          Leaving this page…
        </div>
      )}
    </>
  );
}

function leave(): void {
  window.dispatchEvent(new Event(LEAVING));
  try {
    localStorage.clear();
    sessionStorage.clear();
  } catch {
    // Forbidden storage holds nothing of ours.
  }
  window.location.replace(links.neutral);
}
