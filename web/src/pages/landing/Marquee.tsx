/** The line that scrolls by. It stands still on request, and for those who asked for less motion. */
import { useState } from "react";
import { PauseIcon, PlayIcon } from "../../ui/public-icons.tsx";

const LINE = "Someone to talk with, Even After Hours";
/** Enough for one half to be wider than any screen: the loop moves by one half. */
const COPIES_IN_A_HALF = 6;

export function Marquee() {
  const [paused, setPaused] = useState(false);
  return (
    <div className="marquee night flex items-center bg-[#0b142b] text-ink" data-paused={paused}>
      <p className="sr-only">{LINE}</p>
      <div aria-hidden="true" className="min-w-0 grow overflow-hidden py-4">
        <div className="marquee-track">
          {Array.from({ length: 2 * COPIES_IN_A_HALF }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal copies that never change places
            <span key={i}>{LINE}</span>
          ))}
        </div>
      </div>
      <button
        type="button"
        aria-label={paused ? "Play the moving text" : "Pause the moving text"}
        onClick={() => setPaused(!paused)}
        className="mx-2 grid size-11 shrink-0 place-items-center rounded-full hover:bg-raised motion-reduce:hidden"
      >
        {paused ? <PlayIcon /> : <PauseIcon />}
      </button>
    </div>
  );
}
