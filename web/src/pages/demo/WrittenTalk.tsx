/** The same conversation in writing, for those who cannot speak or must not be heard. */
import type { LampState } from "../../brand/LampWindow.tsx";
import { noticeWords } from "../../call/notice.ts";
import type { CallRecord } from "../../records/call-record.ts";
import { Button } from "../../ui/Button.tsx";
import type { WrittenConversation } from "../../written/use-written-conversation.ts";
import type { WrittenState } from "../../written/written-state.ts";
import { CallFrame, CallHeading, HiddenHeading } from "./CallFrame.tsx";
import { GLOW, PRIMARY, QUIET, SECONDARY } from "./call-style.ts";
import { writtenStatus, writtenTroubleWords } from "./call-words.ts";
import { EndCard } from "./EndCard.tsx";
import { endOf, endWords } from "./end-words.ts";
import { MessageForm } from "./MessageForm.tsx";
import { StatusRow } from "./StatusRow.tsx";
import { TroubleNotice } from "./TroubleNotice.tsx";
import { WhatWasSaid } from "./WhatWasSaid.tsx";
import { WrittenLog } from "./WrittenLog.tsx";

interface WrittenTalkProps {
  name: string;
  /** For how long what is written is kept. */
  keptDays: number;
  conversation: WrittenConversation;
  /** The latest conversation's, as far as it is known. */
  record: CallRecord | null;
  serverDown: boolean;
  /** Whether the button takes the focus as this appears. */
  focused: boolean;
  onTalkInstead: () => void;
  onOpenNote: (record: CallRecord) => void;
}

export function WrittenTalk(props: WrittenTalkProps) {
  const { name, keptDays, conversation, record, serverDown, focused, onTalkInstead, onOpenNote } = props;
  const { state } = conversation;
  const active = state.status === "active";
  const atRest = state.status === "inactive" || state.status === "error";
  const trouble = state.trouble ?? (serverDown && atRest ? "server-unreachable" : null);
  const words =
    atRest && !trouble && state.endedReason !== null ? endWords(endOf("conversation", state, record)) : null;
  // A server that is down before anyone has pressed anything moves nothing.
  const view = !atRest ? "running" : words || state.trouble ? "over" : "rest";

  return (
    <CallFrame view={view} status={state.status} lampState={lampOf(state, trouble !== null)}>
      <StatusRow
        running={!atRest}
        line={writtenStatus(state, name, words)}
        action={
          active && (
            <Button
              className="inline-flex min-h-11 items-center rounded-full border border-line-strong px-4 font-semibold hover:border-ink md:ml-auto"
              onClick={conversation.end}
            >
              End conversation
            </Button>
          )
        }
      />
      {!atRest && <HiddenHeading>Your conversation</HiddenHeading>}
      {view === "rest" && !trouble && (
        <>
          <CallHeading>You can write instead</CallHeading>
          <p className="mt-4 max-w-[46ch] text-lg text-quiet">
            The same assistant answers in writing. No microphone, no sound. {name} writes first, and there is
            no hurry.
          </p>
        </>
      )}
      {trouble && atRest && <TroubleNotice {...writtenTroubleWords(trouble, false)} isHeading />}
      {words && <EndCard words={words} record={record} onOpenNote={onOpenNote} focused />}
      {!atRest && <WrittenLog state={state} name={name} />}
      {trouble && active && <TroubleNotice {...writtenTroubleWords(trouble, true)} />}
      {active && <MessageForm state={state} onSend={conversation.send} />}

      {!active && (
        <div className="call-actions mt-6 flex flex-wrap items-center gap-x-6 gap-y-4">
          <Button
            // At an end the focus is the card's, or stays where the caller has gone meanwhile.
            autoFocus={focused && !words}
            unavailable={state.status === "loading"}
            onClick={conversation.start}
            className={
              words?.ringFirst
                ? `${SECONDARY} min-w-64 text-lg max-sm:grow`
                : `${PRIMARY} ${GLOW} min-w-64 aria-disabled:bg-transparent aria-disabled:text-lamp-ink`
            }
          >
            {state.status === "loading" ? "Connecting..." : `Write to ${name}`}
          </Button>
          {atRest && (
            <Button className={QUIET} onClick={onTalkInstead}>
              Talk instead
            </Button>
          )}
        </div>
      )}
      {words && state.lines.length > 0 && (
        <WhatWasSaid>
          <WrittenLog state={state} name={name} />
        </WhatWasSaid>
      )}
      {view === "rest" && (
        <p className="mt-4 max-w-[60ch] text-sm text-quiet">
          {noticeWords(name, keptDays)} In an emergency text 70999.
        </p>
      )}
    </CallFrame>
  );
}

function lampOf({ status, awaited }: WrittenState, trouble: boolean): LampState {
  if (status === "loading") return "connecting";
  if (status === "active") return awaited ? "speaking" : "listening";
  return trouble ? "trouble" : "idle";
}
