/** What each of the five steps shows. */
import type { ReactNode } from "react";
import { HangUpIcon, MicrophoneIcon, MicrophoneOffIcon } from "../../ui/icons.tsx";
import { TIMER } from "./mock-call.ts";
import { PersonaLamp } from "./PersonaLamp.tsx";
import { PERSONAS, type Persona } from "./personas.ts";

export function PersonaStep({ onPick }: { onPick: (persona: Persona) => void }) {
  return (
    <>
      <h1 className="font-serif text-section font-medium">Who would you like to talk to?</h1>
      <p className="mt-2 text-quiet">Two voices, both AI. Pick the light you like.</p>
      <ul className="mt-6 grid w-full gap-4">
        {PERSONAS.map((persona) => (
          <li key={persona.name}>
            <button type="button" onClick={() => onPick(persona)} className="persona-card">
              <PersonaLamp name={persona.name} className="size-28 shrink-0" />
              <span>
                <span className="block font-serif text-title font-medium">{persona.name}</span>
                <span className="block text-quiet">{persona.manner}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

export function MicrophoneStep({
  persona,
  onAllow,
  onBack,
}: {
  persona: Persona;
  onAllow: () => void;
  onBack: () => void;
}) {
  return (
    <>
      <PersonaLamp name={persona.name} className="size-44" />
      <h1 className="sr-only">Allow the microphone</h1>
      <button type="button" onClick={onAllow} className="microphone-card">
        <MicrophoneIcon className="size-9" />
        <span>
          To chat with {persona.name} please allow us to use your microphone{" "}
          <span className="font-bold underline underline-offset-4">(click here)</span>
        </span>
      </button>
      <button type="button" onClick={onBack} className="quiet-link mt-4">
        Choose another voice
      </button>
    </>
  );
}

export function ConnectingStep({ persona }: { persona: Persona }) {
  return (
    <>
      <PersonaLamp name={persona.name} mood="connecting" className="size-56" />
      <h1 className="mt-8 font-serif text-section font-medium">Connecting to {persona.name}</h1>
    </>
  );
}

export function InCallStep({
  persona,
  onMute,
  onEnd,
}: {
  persona: Persona;
  onMute: () => void;
  onEnd: () => void;
}) {
  return (
    <>
      <h1 className="font-serif text-display font-medium">{persona.name}</h1>
      <p className="text-lg text-quiet tabular-nums">{TIMER}</p>
      <PersonaLamp name={persona.name} mood="talking" className="my-5 size-48" />
      <p className="text-quiet">by Candle</p>
      <div className="mt-6 flex justify-center gap-10">
        <CallControl label="Mute" onPress={onMute} look="border-2 border-line-strong hover:bg-raised">
          <MicrophoneOffIcon className="size-7" />
        </CallControl>
        <CallControl label="End Call" onPress={onEnd} look="bg-[#b3261e] text-white hover:bg-[#8f1d17]">
          <HangUpIcon className="size-7" />
        </CallControl>
      </div>
    </>
  );
}

function CallControl({
  label,
  onPress,
  look,
  children,
}: {
  label: string;
  onPress: () => void;
  look: string;
  children: ReactNode;
}) {
  return (
    <button type="button" onClick={onPress} className="group grid justify-items-center gap-2 font-semibold">
      <span className={`grid size-18 place-items-center rounded-full ${look}`}>{children}</span>
      {label}
    </button>
  );
}

export function EndStep({
  onLogin,
  onAgain,
  feedback,
}: {
  onLogin: () => void;
  onAgain: () => void;
  feedback: ReactNode;
}) {
  return (
    <>
      <h1 className="font-serif text-section font-medium">Login for a better personalised experience</h1>
      <p className="mt-3 text-lg text-quiet">Includes long-term memory, and access to longer sessions.</p>
      <div className="mt-8 grid w-full gap-4">
        <button type="button" onClick={onLogin} className="outline-button justify-center">
          Continue with Google
        </button>
        <button type="button" onClick={onAgain} className="lamp-button justify-center">
          Start a new conversation
        </button>
      </div>
      <p className="mt-6">{feedback}</p>
    </>
  );
}
