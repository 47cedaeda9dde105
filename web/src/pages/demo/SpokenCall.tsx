/** The heart of `/Demo`: the lamp, the one button, the state of the call, the captions. */
import { Suspense, useEffect, useRef, useState } from "react";
import type { VoiceCall } from "../../call/use-voice-call.ts";
import { Button } from "../../ui/Button.tsx";
import { HangUpIcon, MicrophoneIcon, MicrophoneOffIcon, PhoneIcon } from "../../ui/icons.tsx";
import type { Microphones } from "../../voice/browser-parts.ts";
import { chosenMicrophone } from "../../voice/microphone-choice.ts";
import type { VoiceClient } from "../../voice/voice-client.ts";
import { AboutTheAssistant, ACTIONS, INVITATION, Invitation, OTHER_ACTIONS, STATE } from "./CallAtRest.tsx";
import { CallFrame, CallHeading } from "./CallFrame.tsx";
import { CaptionLog } from "./CaptionLog.tsx";
import { GLOW, PRIMARY, QUIET, SECONDARY } from "./call-style.ts";
import { buttonLabel, floorStatus, lampState, lineStatus, troubleWords } from "./call-words.ts";
import { TroubleNotice } from "./TroubleNotice.tsx";
import { VolumeMeter } from "./VolumeMeter.tsx";
import { MicrophoneCheck } from "./when-asked-for.ts";

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
  const [check, setCheck] = useState<"never opened" | "open" | "closed">("never opened");
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
      <CallHeading small={crowded}>{crowded ? "Your call" : INVITATION}</CallHeading>
      {!crowded && <Invitation name={name} />}

      {trouble && atRest && <TroubleNotice {...troubleWords(trouble)} />}
      {showsCaptions && <CaptionLog captions={captions} assistantName={name} live={inCall} />}

      <div className={ACTIONS}>
        <Button
          autoFocus={focused}
          unavailable={state.status === "loading"}
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
          <div className={OTHER_ACTIONS}>
            <Button className={QUIET} onClick={onWriteInstead}>
              Write instead
            </Button>
            <Button className={QUIET} onClick={() => setCheck("open")}>
              {chosenMicrophone() === null ? "Check your microphone" : "Check your microphone again"}
            </Button>
          </div>
        )}
      </div>

      <div className={STATE}>
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
          {atRest && lineStatus(state, name) === "" && <AboutTheAssistant name={name} />}
        </div>
      </div>

      <Suspense fallback={null}>
        {check !== "never opened" && (
          <MicrophoneCheck
            open={check === "open"}
            name={name}
            microphones={microphones}
            onClose={(then) => {
              setCheck("closed");
              if (then === "talk") call.press();
            }}
          />
        )}
      </Suspense>
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
