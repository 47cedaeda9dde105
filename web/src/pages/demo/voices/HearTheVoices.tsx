/**
 * Samples of the voices that Nightlight can have, folded away. Which one answers is its operator's choice: here
 * one hears it, and cannot change it. A sample is fetched when it is played.
 */
import { useEffect, useRef, useState } from "react";
import { Button } from "../../../ui/Button.tsx";
import { PlayIcon, StopIcon } from "../../../ui/icons.tsx";
import { Pill } from "../../../ui/Pill.tsx";
import { SENTENCES, VOICE_IDS, type VoiceId } from "./script.ts";
import { VOICES } from "./voices.ts";

interface HearTheVoicesProps {
  /** The one that calls are answered in, as far as the server has told. */
  answering: string | null;
  /** That a sample is heard now, or no longer: whoever listens to the microphone would take it for a caller. */
  onSound: (audible: boolean) => void;
}

type Heard =
  | { state: "nothing" }
  | { state: "playing"; voice: VoiceId }
  | { state: "failed"; voice: VoiceId };

const NOTHING: Heard = { state: "nothing" };

export function HearTheVoices({ answering, onSound }: HearTheVoicesProps) {
  const [heard, setHeard] = useState<Heard>(NOTHING);
  const audio = useRef<HTMLAudioElement>(null);
  useEffect(() => {
    const element = audio.current;
    return () => {
      if (element && !element.paused) element.pause();
    };
  }, []);

  const play = async (voice: VoiceId) => {
    const element = audio.current;
    if (!element) return;
    element.src = VOICES[voice].sound;
    setHeard({ state: "playing", voice });
    try {
      await element.play();
    } catch (error) {
      // Another one was pressed before this one began.
      if (error instanceof DOMException && error.name === "AbortError") return;
      setHeard({ state: "failed", voice });
    }
  };
  const stop = () => {
    audio.current?.pause();
    setHeard(NOTHING);
  };
  const known = VOICE_IDS.some((id) => id === answering);

  return (
    <details
      className="mt-6 border-t border-line pt-3"
      onToggle={({ currentTarget }) => !currentTarget.open && stop()}
    >
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 rounded-control font-semibold underline decoration-ink/40 underline-offset-4 hover:decoration-2">
        Hear the voices
      </summary>
      <p className="mt-1 text-quiet">
        All are synthetic, and say the same: “{SENTENCES.join(" ")}” They play aloud, to whoever is near you.
        Who runs Nightlight chooses the one that answers.
        {answering !== null && !known && " The one that answers now has no sample here."}
      </p>
      {/* biome-ignore lint/a11y/useMediaCaption: what it says stands above it, as text */}
      <audio
        ref={audio}
        preload="none"
        onPlaying={() => onSound(true)}
        onPause={() => onSound(false)}
        // Another sample takes its place, without a pause.
        onEmptied={() => onSound(false)}
        onError={() => setHeard((now) => (now.state === "playing" ? { ...now, state: "failed" } : now))}
        onEnded={() => setHeard(NOTHING)}
      />
      <ul className="mt-2 divide-y divide-line">
        {VOICE_IDS.map((id) => {
          const { name, description } = VOICES[id];
          const playing = heard.state === "playing" && heard.voice === id;
          return (
            <li key={id} className="flex items-center gap-3 py-1">
              <Button
                aria-label={playing ? `Stop ${name}` : `Play ${name}`}
                onClick={() => (playing ? stop() : void play(id))}
                className="grid size-11 shrink-0 place-items-center rounded-full border border-line-strong hover:border-ink"
              >
                {playing ? <StopIcon /> : <PlayIcon />}
              </Button>
              <span className="flex min-w-0 grow flex-wrap items-center justify-between gap-x-3">
                <span>
                  <b>{name}</b>, {description}
                </span>
                {id === answering && <Pill tone="lamp">Answers now</Pill>}
              </span>
            </li>
          );
        })}
      </ul>
      <p role="status" className="mt-2 empty:hidden">
        {heard.state === "failed" && failureWords(VOICES[heard.voice].name)}
      </p>
    </details>
  );
}

function failureWords(name: string): string {
  const playable = document.createElement("audio").canPlayType('audio/webm; codecs="opus"') !== "";
  return playable
    ? `${name} could not be fetched. Please try again.`
    : "This browser cannot play the samples. The calls themselves can be heard in it.";
}
