/** A call that rings here: for whom, since when, and the two answers. */
import { useEffect, useRef } from "react";
import { showRingNotification } from "../../desk/desk-notification.ts";
import type { Ring } from "../../desk/desk-state.ts";
import { agencyName } from "../../desk/desk-words.ts";
import { PhoneIcon } from "../../ui/icons.tsx";
import { Elapsed } from "./Elapsed.tsx";

interface RingingCardProps {
  ring: Ring;
  /** Whether its keys answer it: of several calls, the first. */
  keys: boolean;
  onAccept: (ring: Ring) => void;
  onDecline: (ring: Ring) => void;
}

export function RingingCard({ ring, keys, onAccept, onDecline }: RingingCardProps) {
  const answers = useRef({ onAccept, onDecline });
  answers.current = { onAccept, onDecline };
  useEffect(() => showRingNotification(ring.callId, ring.agency), [ring.callId, ring.agency]);
  useEffect(() => {
    if (!keys) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const key = event.key.toLowerCase();
      if (key === "a") answers.current.onAccept(ring);
      if (key === "d") answers.current.onDecline(ring);
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, [keys, ring]);

  return (
    <section
      aria-label={`A call is ringing for ${ring.agency}`}
      className="night flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-panel border-2 border-lamp bg-block px-5 py-5 text-ink sm:px-8"
    >
      <div className="flex min-w-0 items-center gap-4">
        <span className="desk-ringing grid size-12 shrink-0 place-items-center rounded-full bg-lamp text-on-lamp">
          <PhoneIcon className="size-6" />
        </span>
        <div className="min-w-0">
          <h2 className="text-title font-bold">{agencyName(ring.agency)}</h2>
          <p className="text-quiet">
            A caller has been waiting <Elapsed since={ring.since} className="font-bold text-ink" />
          </p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-4 max-sm:w-full">
        <button
          type="button"
          className="lamp-button max-sm:grow max-sm:justify-center"
          onClick={() => onAccept(ring)}
        >
          Accept {keys && <Key name="A" />}
        </button>
        <button
          type="button"
          className="inline-flex min-h-16 items-center gap-3 rounded-full border border-line-strong px-6 font-semibold hover:border-ink"
          onClick={() => onDecline(ring)}
        >
          Decline {keys && <Key name="D" />}
        </button>
      </div>
    </section>
  );
}

/** Beside a button's word, not part of its name. */
function Key({ name }: { name: string }) {
  return (
    <span
      aria-hidden="true"
      className="rounded-sm border border-current px-2 text-sm font-bold max-sm:hidden"
    >
      {name}
    </span>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox]), textarea, select"))
  );
}
