/**
 * What the call area says and offers before a call. `/Demo` is prerendered with it, so that nothing moves
 * and nothing is replaced by something else when the page's script takes over.
 */
import { noticeWords, USUALLY_KEPT_DAYS } from "../../call/notice.ts";
import { PhoneIcon } from "../../ui/icons.tsx";
import { CallFrame, CallHeading } from "./CallFrame.tsx";
import { PRIMARY, QUIET } from "./call-style.ts";
import { SegmentMeter } from "./SegmentMeter.tsx";

export const INVITATION = "A light is on for you";
export const METER_LABEL = "Volume of the assistant’s voice";
/** The button and what stands beside it, and the row under them. */
export const ACTIONS = "mt-7 flex flex-wrap items-center gap-x-3 gap-y-5 sm:gap-x-6";
export const OTHER_ACTIONS = "flex flex-wrap gap-x-6";
export const STATE = "mt-6 flex min-h-12 flex-wrap items-center gap-x-6 gap-y-3";

export function Invitation({ name }: { name: string }) {
  return (
    <p className="mt-4 max-w-[46ch] text-lg text-balance text-quiet">
      Click the talk button to start the demonstration. Your browser will ask for the microphone. {name}{" "}
      speaks first, and there is no hurry.
    </p>
  );
}

interface AboutTheAssistantProps {
  name: string;
  keptDays: number;
  isHosted?: boolean;
}

export function AboutTheAssistant({ name, keptDays, isHosted = false }: AboutTheAssistantProps) {
  return (
    <p className="max-w-[60ch] text-sm text-quiet">
      {noticeWords(name, keptDays, isHosted)} In an emergency ring 999.
    </p>
  );
}

/** Before the script: the button is not lit yet and cannot be pressed; where scripts are off it is not there. */
export function CallToCome({ name }: { name: string }) {
  return (
    <CallFrame view="rest" status="inactive" lampState="idle">
      <CallHeading>{INVITATION}</CallHeading>
      <Invitation name={name} />
      <noscript>
        <p className="mt-4 max-w-[46ch] text-lg">
          Voice calls need JavaScript, which is off in this browser. The numbers above work without it.
        </p>
      </noscript>
      <div className={`${ACTIONS} noscript:hidden`}>
        <button type="button" disabled className={`${PRIMARY} min-w-64 cursor-default! opacity-75`}>
          <PhoneIcon className="size-6" />
          Talk to {name}
        </button>
        <div aria-hidden="true" className={`${OTHER_ACTIONS} invisible`}>
          <span className={QUIET}>Write instead</span>
          <span className={QUIET}>Check your microphone</span>
        </div>
      </div>
      <div className={`${STATE} noscript:hidden`}>
        <SegmentMeter label={METER_LABEL} level={0} />
        <AboutTheAssistant name={name} keptDays={USUALLY_KEPT_DAYS} />
      </div>
    </CallFrame>
  );
}
