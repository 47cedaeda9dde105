/** The officer's own line: how it stands, in words, and what can be done with it. */
import { useEffect, useRef, useState } from "react";
import type { DeskCall } from "../../desk/contract.ts";
import { agencyName, goneWords } from "../../desk/desk-words.ts";
import type { OwnLine, OwnLineActs } from "../../desk/use-own-line.ts";
import { MicrophoneIcon, MicrophoneOffIcon } from "../../ui/icons.tsx";
import { volumeOf } from "../../voice/levels.ts";
import { Confirmed } from "./Confirmed.tsx";
import { PLAIN, STRONG } from "./desk-style.ts";
import { Trouble } from "./Trouble.tsx";

interface OwnLinePanelProps {
  own: OwnLine;
  acts: OwnLineActs;
  /** As the desk knows it; absent when it is over. */
  call: DeskCall | undefined;
  /** Whether the caller has heard an officer yet, or again after a hold. */
  heard: boolean;
  mayTakeOver: boolean;
}

export function OwnLinePanel({ own, acts, call, heard, mayTakeOver }: OwnLinePanelProps) {
  const { title, more } = wordsOf(own, call, heard);
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus goes to a line that begins
  useEffect(() => heading.current?.focus(), [own.callId, own.way === "listening"]);
  const isOn = own.stage === "on";
  const isEnded =
    own.stage === "gone" || own.stage === "over" || own.stage === "given-back" || own.stage === "failed";
  const speaks = own.way !== "listening";
  const talks = own.way === "line" && call?.state === "officer";
  const holds = own.way === "line" && call?.state === "on-hold";
  return (
    <section
      aria-label="Your line"
      className="night top-2 z-20 flex flex-wrap not-low:sticky sm:top-[4.5rem] items-center justify-between gap-x-8 gap-y-4 rounded-panel border border-line bg-block px-5 py-4 text-ink sm:px-8"
    >
      <div role="status" className="min-w-0 basis-80 grow">
        <h2 ref={heading} tabIndex={-1} className="scroll-mt-32 text-title font-bold outline-none">
          {title}
        </h2>
        {more && <p className="mt-1">{more}</p>}
      </div>
      {/* Why a line failed is told by the status above. */}
      {!isEnded && <Trouble words={own.trouble} className="basis-full empty:hidden" />}
      {isOn && speaks && <Levels acts={acts} muted={own.muted} />}
      <div className="flex flex-wrap items-center gap-3">
        {isOn && own.way === "line" && call?.state === "accepted" && (
          <button type="button" className={STRONG} onClick={() => void acts.ready()}>
            Put me through now
          </button>
        )}
        {isOn && speaks && (
          <button
            type="button"
            aria-pressed={own.muted}
            className={`${PLAIN} aria-pressed:bg-ink aria-pressed:text-block`}
            onClick={() => acts.mute(!own.muted)}
          >
            {own.muted ? <MicrophoneOffIcon /> : <MicrophoneIcon />}
            Mute
          </button>
        )}
        {isOn && (talks || holds) && (
          // One button, so that whoever pressed it by key presses it again to take the caller back.
          <button
            type="button"
            className={holds ? STRONG : PLAIN}
            onClick={() => void (holds ? acts.takeBack() : acts.hold())}
          >
            {holds ? "Take the caller back" : "Put the caller on hold"}
          </button>
        )}
        {isOn && own.way !== "line" && mayTakeOver && (
          <Confirmed
            label="Take over"
            question="Take over this call? The caller is told, and hears you."
            yes="Take it over"
            no="Go on listening"
            className={PLAIN}
            onYes={() => void acts.takeOver()}
          />
        )}
        {isOn && own.way !== "line" && (
          <button type="button" className={PLAIN} onClick={acts.stopListening}>
            {own.way === "coaching" ? "Stop coaching" : "Stop listening"}
          </button>
        )}
        {isOn && talks && (
          <Confirmed
            label="End the call"
            question="End the call? It ends for the caller too, unless a colleague talks with them as well."
            yes="End it now"
            no="Go on talking"
            onYes={() => void acts.leave("over")}
          />
        )}
        {isOn && holds && (
          <Confirmed
            label="Give the call back"
            question="Give the call back? The assistant stays with the caller, and says whom to ring."
            yes="Give it back"
            no="Stay on the call"
            onYes={() => void acts.leave("given-back")}
          />
        )}
        {isOn && own.way === "line" && !talks && !holds && (
          <button type="button" className={PLAIN} onClick={() => void acts.leave("given-back")}>
            Give the call back
          </button>
        )}
        {isEnded && (
          <button type="button" className={PLAIN} onClick={acts.putAway}>
            Put away
          </button>
        )}
      </div>
    </section>
  );
}

export function wordsOf(
  own: OwnLine,
  call: DeskCall | undefined,
  heard: boolean,
): { title: string; more: string | null } {
  const agency = own.agency === null ? "" : ` ${agencyName(own.agency)}.`;
  switch (own.stage) {
    case "accepting":
      return { title: "Taking the call", more: agency.trim() || null };
    case "joining":
      return { title: "Opening your line", more: "If your browser asks for the microphone, allow it." };
    case "failed":
      return { title: "You are not on the call", more: own.trouble };
    case "over":
      if (call?.state === "officer" && !call.yours)
        return { title: "You are not on the call any more", more: goneWords(call) };
      return { title: "The call is over", more: null };
    case "given-back":
      return {
        title: "You have given the call back",
        more:
          call?.state === "ringing"
            ? "The assistant is with the caller, and colleagues are being rung."
            : "The assistant is with the caller.",
      };
    case "gone":
      return { title: "You are not on the call any more", more: goneWords(call) };
    case "on":
      break;
  }
  const onHold = call?.state === "on-hold";
  if (own.way === "listening")
    return {
      title: "You are listening",
      more: onHold
        ? "The caller is on hold: you hear the officer, and not the caller. Nobody hears you."
        : "Nobody hears you, and nobody is told.",
    };
  if (own.way === "coaching")
    return {
      title: "You are coaching",
      more: onHold
        ? "The caller is on hold: you and the officer hear each other."
        : "The officer hears you. The caller does not.",
    };
  if (onHold) {
    const hello =
      "Say hello then: if nothing is heard of you for 15 seconds, the assistant goes back to them.";
    return {
      title: "The caller is on hold",
      more:
        call.holdEndsAt === null
          ? `The assistant is with them; they hear nothing of you, nor you of them. After two minutes they are back with you. ${hello}`
          : `In half a minute the caller is back with you, and hears you. ${hello}`,
    };
  }
  if (call?.state === "officer") {
    const hint = own.muted ? "You are muted: the caller does not hear you." : null;
    const hello =
      "Say hello now. If nothing is heard of you for 15 seconds, the assistant goes back to the caller.";
    return { title: "You are talking with the caller", more: hint ?? (heard ? null : hello) };
  }
  return {
    title: "You hear a one-sentence briefing",
    more: "The caller does not hear you yet. You are put through in a moment.",
  };
}

const LOOK_EVERY_MS = 200;

/** That one's microphone works, and that the other side speaks. */
function Levels({ acts, muted }: { acts: OwnLineActs; muted: boolean }) {
  const [levels, setLevels] = useState({ own: 0, others: 0 });
  useEffect(() => {
    const timer = setInterval(() => setLevels(acts.levels()), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  });
  return (
    <div className="grid justify-items-end gap-1 text-sm text-quiet max-sm:w-full max-sm:justify-items-start">
      <Meter label="Your microphone" level={muted ? 0 : levels.own} />
      <Meter label="What you hear" level={levels.others} />
    </div>
  );
}

function Meter({ label, level }: { label: string; level: number }) {
  return (
    <span className="inline-flex items-center gap-3">
      {label}
      <meter
        aria-label={label}
        min={0}
        max={1}
        value={Math.round(volumeOf(level) * 20) / 20}
        className="desk-meter"
      />
    </span>
  );
}
