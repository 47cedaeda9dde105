/** The heart of `/Demo`: the lamp, the one button, the state of the call, the captions. */
import { Button } from "@base-ui/react/button";
import { useEffect, useRef, useState } from "react";
import type { VoiceCall } from "../../call/use-voice-call.ts";
import { HangUpIcon, MicrophoneIcon, MicrophoneOffIcon, PhoneIcon } from "../../ui/icons.tsx";
import type { Microphones } from "../../voice/browser-parts.ts";
import { chosenMicrophone } from "../../voice/microphone-choice.ts";
import type { VoiceClient } from "../../voice/voice-client.ts";
import { CallFrame, CallHeading } from "./CallFrame.tsx";
import { CaptionLog } from "./CaptionLog.tsx";
import { GLOW, PRIMARY, QUIET, SECONDARY } from "./call-style.ts";
import { buttonLabel, floorStatus, lampState, lineStatus, troubleWords } from "./call-words.ts";
import { MicrophoneCheck } from "./MicrophoneCheck.tsx";
import { TroubleNotice } from "./TroubleNotice.tsx";
import { VolumeMeter } from "./VolumeMeter.tsx";

interface SpokenCallProps {
  name: string;
  client: VoiceClient;
  call: VoiceCall;
  microphones: Microphones;
  /** The server did not answer when the page asked for its configuration. */
  serverDown: boolean;
  /** Whether the button takes the focus as this appears. */
  focused: boolean;
  onWriteInstead: () => void;
}

const BUTTON_STYLES = {
  inactive: `${PRIMARY} ${GLOW} min-w-64`,
  error: `${PRIMARY} min-w-64`,
  loading:
    "inline-flex min-h-16 min-w-64 items-center justify-center gap-3 rounded-full border-2 border-lamp px-8 text-lg font-bold text-lamp-ink max-sm:grow",
  active:
    "inline-flex min-h-16 items-center justify-center gap-3 rounded-full border-2 border-ink px-5 text-lg sm:px-6 font-bold text-ink hover:bg-ink hover:text-block max-sm:grow",
} as const;

export function SpokenCall(props: SpokenCallProps) {
  const { name, client, call, microphones, serverDown, focused, onWriteInstead } = props;
  const { state, captions } = call;
  const [checking, setChecking] = useState(false);
  const lamp = useLampLevel(client);
  const inCall = state.status === "active";
  const atRest = state.status === "inactive" || state.status === "error";
  const trouble =
    state.trouble ?? (serverDown ? "server-unreachable" : state.status === "error" ? "call-refused" : null);
  const showsCaptions = inCall || captions.length > 0;
  const crowded = showsCaptions || trouble !== null;

  return (
    <CallFrame
      status={state.status}
      lamp={lamp}
      lampState={trouble && !inCall ? "trouble" : lampState(state)}
      lampWhenSmall={showsCaptions ? "small" : "large"}
    >
      <CallHeading small={crowded}>{crowded ? "Your call" : "A light is on for you"}</CallHeading>
      {!crowded && (
        <p className="mt-4 max-w-[46ch] text-lg text-balance text-quiet">
          Click the talk button to start the demonstration. Your browser will ask for the microphone. {name}{" "}
          speaks first, and there is no hurry.
        </p>
      )}

      {trouble && atRest && <TroubleNotice {...troubleWords(trouble)} />}
      {showsCaptions && <CaptionLog captions={captions} assistantName={name} live={inCall} />}

      <div className="mt-7 flex flex-wrap items-center gap-x-3 gap-y-5 sm:gap-x-4">
        <Button
          autoFocus={focused}
          focusableWhenDisabled
          disabled={state.status === "loading"}
          onClick={call.press}
          className={`transition-[background-color,box-shadow,color] duration-300 ${BUTTON_STYLES[state.status]}`}
          data-status={state.status}
        >
          {inCall ? <HangUpIcon className="size-6" /> : <PhoneIcon className="size-6" />}
          {buttonLabel(state, name)}
        </Button>
        {inCall && (
          <Button aria-pressed={state.muted} onClick={call.toggleMute} className={SECONDARY}>
            {state.muted ? <MicrophoneOffIcon /> : <MicrophoneIcon />}
            Mute
          </Button>
        )}
        {atRest && (
          <div className="flex flex-wrap gap-x-6 sm:ml-2">
            <Button className={QUIET} onClick={onWriteInstead}>
              Write instead
            </Button>
            <Button className={QUIET} onClick={() => setChecking(true)}>
              {chosenMicrophone() === null ? "Check your microphone" : "Check your microphone again"}
            </Button>
          </div>
        )}
      </div>

      <div className="mt-6 flex min-h-12 flex-wrap items-center gap-x-6 gap-y-3">
        <VolumeMeter client={client} lit={inCall} />
        <div>
          {inCall && (
            <p className="settles text-lg font-semibold" key={String(state.speaking)}>
              {floorStatus(state)}
            </p>
          )}
          <p role="status" className={inCall ? "text-sm text-quiet" : "text-base text-ink"}>
            {lineStatus(state, name)}
          </p>
          {atRest && lineStatus(state, name) === "" && (
            <p className="text-sm text-quiet">{name} is an AI, not a person. In an emergency ring 999.</p>
          )}
        </div>
      </div>

      <MicrophoneCheck
        open={checking}
        name={name}
        microphones={microphones}
        onClose={(then) => {
          setChecking(false);
          if (then === "talk") call.press();
        }}
      />
    </CallFrame>
  );
}

/** Gives the lamp the assistant's volume, ten times a second, without rendering anything. */
function useLampLevel(client: VoiceClient) {
  const lamp = useRef<SVGSVGElement>(null);
  useEffect(() => {
    const show = (level: number) => lamp.current?.style.setProperty("--level", level.toFixed(2));
    const removals = [client.on("volume-level", show), client.on("call-end", () => show(0))];
    return () => {
      for (const remove of removals) remove();
    };
  }, [client]);
  return lamp;
}
