/** The heart of `/Demo`: the lamp, the one button, the state of the call, the captions, and its end. */
import { Suspense, useEffect, useRef, useState } from "react";
import type { VoiceCall } from "../../call/use-voice-call.ts";
import type { CallRecord } from "../../records/call-record.ts";
import { Button } from "../../ui/Button.tsx";
import { HangUpIcon, MicrophoneIcon, MicrophoneOffIcon, PhoneIcon } from "../../ui/icons.tsx";
import type { Microphones } from "../../voice/browser-parts.ts";
import { chosenMicrophone } from "../../voice/microphone-choice.ts";
import type { VoiceClient } from "../../voice/voice-client.ts";
import { AboutTheAssistant, ACTIONS, INVITATION, Invitation, OTHER_ACTIONS, STATE } from "./CallAtRest.tsx";
import { CallFrame, CallHeading, HiddenHeading } from "./CallFrame.tsx";
import { CaptionLog } from "./CaptionLog.tsx";
import { GLOW, PRIMARY, QUIET, SECONDARY } from "./call-style.ts";
import {
  buttonLabel,
  CUT_OFF,
  floorStatus,
  lampState,
  lineStatus,
  troubleWords,
  waitingWords,
} from "./call-words.ts";
import { EndCard } from "./EndCard.tsx";
import { endOf, endWords } from "./end-words.ts";
import { NoteWritten } from "./NoteWritten.tsx";
import { StatusRow } from "./StatusRow.tsx";
import { TroubleNotice } from "./TroubleNotice.tsx";
import { VolumeMeter } from "./VolumeMeter.tsx";
import { WhatWasSaid } from "./WhatWasSaid.tsx";
import { MicrophoneCheck } from "./when-asked-for.ts";

interface SpokenCallProps {
  name: string;
  /** For how long what is said is kept. */
  keptDays: number;
  /** The hosted platform is to hold the call. */
  isHosted: boolean;
  client: VoiceClient;
  call: VoiceCall;
  /** The latest call's, as far as it is known. */
  record: CallRecord | null;
  microphones: Microphones;
  /** The one that answers, as far as it is known. */
  voice: string | null;
  /** The server did not answer when the page asked for its configuration. */
  serverDown: boolean;
  /** Whether the button takes the focus as this appears. */
  focused: boolean;
  onWriteInstead: () => void;
  onOpenNote: (record: CallRecord) => void;
}

const BUTTON_STYLES = {
  inactive: `${PRIMARY} ${GLOW} min-w-64`,
  error: `${PRIMARY} min-w-64`,
  loading:
    "inline-flex min-h-16 min-w-64 items-center justify-center gap-3 rounded-full border-2 border-lamp px-8 text-lg font-bold text-lamp-ink max-sm:grow",
  active:
    "inline-flex min-h-16 items-center justify-center gap-3 rounded-full border-2 border-ink px-5 text-lg sm:px-6 font-bold text-ink hover:bg-ink hover:text-block max-sm:grow",
} as const;
/** Where an agency's number comes first. */
const SECOND = `${SECONDARY} min-w-64 text-lg max-sm:grow`;

export function SpokenCall(props: SpokenCallProps) {
  const { name, keptDays, isHosted, client, call, record, microphones, voice, serverDown, focused } = props;
  const { onWriteInstead, onOpenNote } = props;
  const { state, captions } = call;
  const [check, setCheck] = useState<"never opened" | "open" | "closed">("never opened");
  const lamp = useLampLevel(client);
  const inCall = state.status === "active";
  const atRest = state.status === "inactive" || state.status === "error";
  const trouble =
    state.trouble ?? (serverDown ? "server-unreachable" : state.status === "error" ? "call-refused" : null);
  // Who spoke last beside the caller: an officer may have given the call back before the assistant handed it over.
  const withOfficer = captions.findLast(({ speaker }) => speaker !== "caller")?.speaker === "officer";
  const end =
    atRest && !trouble && state.endedReason !== null ? endOf("call", state, record, withOfficer) : null;
  const words = end && endWords(end);
  // A server that is down before anyone has pressed anything moves nothing.
  const failed = state.trouble !== null || state.status === "error";
  const view = !atRest ? "running" : words || failed ? "over" : "rest";

  return (
    <CallFrame
      view={view}
      status={state.status}
      lamp={lamp}
      lampState={trouble && !inCall ? "trouble" : lampState(state)}
    >
      <StatusRow
        running={!atRest}
        line={lineStatus(state, name, words)}
        floor={inCall && !state.cutOff ? floorStatus(state) : null}
        meter={<VolumeMeter client={client} lit={inCall && !state.cutOff} />}
      />
      {!atRest && <HiddenHeading>Your call</HiddenHeading>}
      {atRest && !trouble && !words && (
        <>
          <CallHeading>{INVITATION}</CallHeading>
          <Invitation name={name} />
        </>
      )}
      {trouble && atRest && <TroubleNotice {...troubleWords(trouble)} isHeading />}
      {trouble && atRest && state.callId && (
        <div className="max-w-xl">
          <NoteWritten record={record} onOpen={onOpenNote} />
        </div>
      )}
      {words && (
        <EndCard
          words={words}
          record={record}
          onOpenNote={onOpenNote}
          focused={end?.reason !== "customer-ended-call"}
        />
      )}
      {state.cutOff && (
        // In the place of the words: what matters until the line is back.
        <div className="call-log overflow-y-auto">
          <TroubleNotice {...CUT_OFF} />
        </div>
      )}
      {!atRest && !state.cutOff && (
        <CaptionLog captions={captions} assistantName={name} placeholder={waitingWords(state, name)} />
      )}

      <div className={`call-actions ${ACTIONS}`}>
        <Button
          autoFocus={focused}
          unavailable={state.status === "loading"}
          onClick={call.press}
          className={`transition-[background-color,box-shadow,color] duration-300 ${words?.ringFirst ? SECOND : BUTTON_STYLES[state.status]}`}
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

      {view === "over" && captions.length > 0 && (
        <WhatWasSaid>
          <CaptionLog captions={captions} assistantName={name} />
        </WhatWasSaid>
      )}
      {view === "rest" && (
        <div className={STATE}>
          <VolumeMeter client={client} lit={false} />
          {lineStatus(state, name, words) === "" && (
            <AboutTheAssistant name={name} keptDays={keptDays} isHosted={isHosted} />
          )}
        </div>
      )}

      <Suspense fallback={null}>
        {check !== "never opened" && (
          <MicrophoneCheck
            open={check === "open"}
            name={name}
            microphones={microphones}
            voice={voice}
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
