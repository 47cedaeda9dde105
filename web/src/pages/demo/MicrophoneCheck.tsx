/**
 * A check of the sound before a call: is it the right microphone, does it hear, and how do the voices sound? It is
 * offered, never in the way, and what it hears stays in the browser.
 */
import { Dialog } from "@base-ui/react/dialog";
import { type RefObject, useId, useRef, useState } from "react";
import { ExitLink } from "../../exit/ExitThisPage.tsx";
import { Button } from "../../ui/Button.tsx";
import { CheckIcon, CloseIcon } from "../../ui/icons.tsx";
import type { Microphones } from "../../voice/browser-parts.ts";
import { chooseMicrophone, chosenMicrophone } from "../../voice/microphone-choice.ts";
import { EXIT, PRIMARY, SECONDARY } from "./call-style.ts";
import { troubleWords } from "./call-words.ts";
import { SegmentMeter } from "./SegmentMeter.tsx";
import { TroubleNotice } from "./TroubleNotice.tsx";
import { type MicrophoneTrial, useMicrophoneTrial } from "./use-microphone-trial.ts";
import { HearTheVoices } from "./voices/HearTheVoices.tsx";

interface MicrophoneCheckProps {
  open: boolean;
  name: string;
  microphones: Microphones;
  /** The one that answers, as far as it is known. */
  voice: string | null;
  /** `talk` when the caller goes on to the call from here. */
  onClose: (then: "talk" | "nothing") => void;
}

export function MicrophoneCheck({ open, onClose, ...content }: MicrophoneCheckProps) {
  // Not the first thing in it, which leads away.
  const closer = useRef<HTMLButtonElement>(null);
  return (
    <Dialog.Root open={open} onOpenChange={(opened) => !opened && onClose("nothing")}>
      <Dialog.Portal>
        <Dialog.Backdrop className="side-panel-backdrop fixed inset-0 z-40 bg-[#050a18]/70" />
        <Dialog.Popup
          initialFocus={closer}
          className="night fixed top-1/2 left-1/2 z-40 max-h-[calc(100svh-1.5rem)] w-[min(34rem,calc(100vw-1.5rem))] -translate-1/2 overflow-y-auto rounded-panel border border-line bg-block p-5 text-ink shadow-lifted outline-none sm:p-8"
        >
          {open && <Check onClose={onClose} closer={closer} {...content} />}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Check({
  name,
  microphones,
  voice,
  onClose,
  closer,
}: Omit<MicrophoneCheckProps, "open"> & { closer: RefObject<HTMLButtonElement | null> }) {
  const [wanted, setWanted] = useState(chosenMicrophone() || null);
  const deaf = useRef(false);
  const trial = useMicrophoneTrial(microphones, wanted, deaf);
  const id = useId();
  const keep = (then: "talk" | "nothing") => {
    if (trial.state !== "failed") chooseMicrophone(wanted ?? "");
    onClose(then);
  };
  return (
    <>
      <div className="flex items-center gap-x-4">
        <Dialog.Title className="font-serif text-title font-medium">Check your microphone</Dialog.Title>
        <ExitLink className={`${EXIT} ml-auto`} />
        <Dialog.Close
          ref={closer}
          aria-label="Close the microphone check"
          className="-mr-2 grid size-11 place-items-center rounded-control hover:bg-raised"
        >
          <CloseIcon className="size-6" />
        </Dialog.Close>
      </div>
      {trial.trouble ? (
        <TroubleNotice {...troubleWords(trial.trouble)} />
      ) : (
        <>
          <p className="mt-2 text-balance text-quiet">
            Say a few words. The bars rise when you are heard. Nothing is recorded or sent.
          </p>
          <div className="mt-5 flex min-h-12 flex-wrap items-center gap-x-5 gap-y-2">
            <SegmentMeter label="Level of your microphone" level={trial.level} />
            <p role="status" className="flex items-center gap-2 font-semibold">
              {trial.heard === "a voice" && <CheckIcon className="size-5 text-lamp-ink" />}
              {trialWords(trial, name)}
            </p>
          </div>
          {trial.devices.length > 0 && (
            <label htmlFor={id} className="mt-5 block">
              <span className="block text-sm font-semibold text-quiet">Microphone</span>
              <select
                id={id}
                value={wanted ?? trial.deviceId ?? ""}
                onChange={(event) => setWanted(event.target.value)}
                className="mt-1 min-h-11 w-full rounded-control border border-line-strong bg-surface px-2"
              >
                {trial.devices.map(({ deviceId, label }) => (
                  <option key={deviceId} value={deviceId}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          )}
        </>
      )}
      <div className="mt-7 flex flex-wrap gap-3">
        <Button className={PRIMARY} onClick={() => keep("talk")}>
          Talk to {name}
        </Button>
        <Button className={`${SECONDARY} max-sm:grow`} onClick={() => keep("nothing")}>
          Done
        </Button>
      </div>
      <HearTheVoices
        answering={voice}
        onSound={(audible) => {
          deaf.current = audible;
        }}
      />
    </>
  );
}

function trialWords({ state, heard }: MicrophoneTrial, name: string): string {
  if (state === "opening") return "Asking for the microphone";
  switch (heard) {
    case "a voice":
      return `${name} will hear you`;
    case "nothing for long":
      return "Nothing heard yet. It may be muted, or another one may be meant";
    case "nothing yet":
      return "Listening";
  }
}
