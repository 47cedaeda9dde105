/**
 * "Exit this page", for someone who may be watched, by GOV.UK's pattern: a button that stays in view, a
 * skip link that leaves at once, and Shift pressed three times, each press shown and told.
 */
import { useEffect, useState } from "react";
import { LEAVE_WITHOUT_SCRIPT } from "../paths.ts";
import { leave, loadWhenShownAgain } from "./leave.ts";
import { countPress, PRESSES_TO_LEAVE, PRESSES_WITHIN_MS } from "./shift-presses.ts";

/** Also for places that cover the top of the page, such as a modal. Without a script the server clears and leads on. */
export function ExitLink({ className }: { className: string }) {
  return (
    <a
      href={LEAVE_WITHOUT_SCRIPT}
      rel="noreferrer nofollow"
      onClick={(event) => {
        event.preventDefault();
        leave();
      }}
      className={className}
    >
      Exit this page
    </a>
  );
}

export function ExitThisPage() {
  const [counted, setCounted] = useState(0);
  const [told, setTold] = useState("");
  useEffect(loadWhenShownAgain, []);

  useEffect(() => {
    let presses: readonly number[] = [];
    let expiry: ReturnType<typeof setTimeout> | undefined;
    const show = (words: string) => {
      setCounted(presses.length);
      setTold(words);
    };
    const pressed = (event: KeyboardEvent) => {
      const before = presses;
      presses = countPress(presses, { key: event.key, repeat: event.repeat, at: event.timeStamp });
      if (presses === before) return;
      clearTimeout(expiry);
      const left = PRESSES_TO_LEAVE - presses.length;
      if (left <= 0) {
        leave();
      } else if (presses.length === 0) {
        if (before.length > 0) show("");
      } else {
        show(`Shift, press ${left} more ${left === 1 ? "time" : "times"} to exit.`);
        expiry = setTimeout(() => {
          presses = [];
          show("Exit this page expired.");
        }, PRESSES_WITHIN_MS);
      }
    };
    window.addEventListener("keydown", pressed);
    return () => {
      clearTimeout(expiry);
      window.removeEventListener("keydown", pressed);
    };
  }, []);

  return (
    <div className="exit relative">
      <ExitLink className="inline-flex min-h-11 items-center rounded-control border-2 border-ink px-3 text-sm font-bold whitespace-nowrap text-ink hover:bg-ink hover:text-paper sm:px-4" />
      {counted > 0 && (
        <span aria-hidden="true" className="absolute inset-x-0 top-full mt-1 flex justify-center gap-2">
          {Array.from({ length: PRESSES_TO_LEAVE }, (_, i) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: three dots that never change places
              key={i}
              className={`size-3 rounded-full border-2 border-ink ${i < counted ? "bg-ink" : "bg-paper"}`}
            />
          ))}
        </span>
      )}
      <span role="status" className="sr-only">
        {told}
      </span>
    </div>
  );
}
