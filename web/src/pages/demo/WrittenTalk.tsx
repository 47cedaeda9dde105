/** The same conversation in writing, for those who cannot speak or must not be heard. */
import { type RefObject, useEffect, useRef } from "react";
import type { LampState } from "../../brand/LampWindow.tsx";
import { Button } from "../../ui/Button.tsx";
import type { WrittenConversation } from "../../written/use-written-conversation.ts";
import type { WrittenState } from "../../written/written-state.ts";
import { CallFrame, CallHeading } from "./CallFrame.tsx";
import { GLOW, PRIMARY, QUIET, SECONDARY } from "./call-style.ts";
import { writtenStatus, writtenTroubleWords } from "./call-words.ts";
import { MessageForm } from "./MessageForm.tsx";
import { TroubleNotice } from "./TroubleNotice.tsx";
import { WrittenLog } from "./WrittenLog.tsx";

interface WrittenTalkProps {
  name: string;
  conversation: WrittenConversation;
  serverDown: boolean;
  /** Whether the button takes the focus as this appears. */
  focused: boolean;
  onTalkInstead: () => void;
}

export function WrittenTalk({ name, conversation, serverDown, focused, onTalkInstead }: WrittenTalkProps) {
  const { state } = conversation;
  const active = state.status === "active";
  const atRest = state.status === "inactive" || state.status === "error";
  const trouble = state.trouble ?? (serverDown && atRest ? "server-unreachable" : null);
  const showsLog = active || state.lines.length > 0;
  const start = useRef<HTMLButtonElement>(null);
  useFocusAfterTheEnd(start, state.status);

  return (
    <CallFrame
      status={state.status}
      lampState={lampOf(state, trouble !== null)}
      lampWhenSmall={showsLog ? "hidden" : "large"}
    >
      <CallHeading small={showsLog || trouble !== null}>
        {showsLog || trouble ? "Your conversation" : "You can write instead"}
      </CallHeading>
      {!showsLog && !trouble && (
        <p className="mt-4 max-w-[46ch] text-lg text-quiet">
          The same assistant answers in writing. No microphone, no sound. {name} writes first, and there is no
          hurry.
        </p>
      )}
      {trouble && !active && <TroubleNotice {...writtenTroubleWords(trouble, false)} />}
      {showsLog && <WrittenLog state={state} name={name} />}
      {active && <MessageForm state={state} onSend={conversation.send} />}
      {trouble && active && <TroubleNotice {...writtenTroubleWords(trouble, true)} />}

      <div className="mt-6 flex flex-wrap items-center gap-x-6 gap-y-4">
        {active ? (
          <Button className={SECONDARY} onClick={conversation.end}>
            End conversation
          </Button>
        ) : (
          <>
            <Button
              ref={start}
              autoFocus={focused}
              unavailable={state.status === "loading"}
              onClick={conversation.start}
              className={`${PRIMARY} ${GLOW} min-w-64 aria-disabled:bg-transparent aria-disabled:text-lamp-ink`}
            >
              {state.status === "loading" ? "Connecting..." : `Write to ${name}`}
            </Button>
            {atRest && (
              <Button className={QUIET} onClick={onTalkInstead}>
                Talk instead
              </Button>
            )}
          </>
        )}
        <p role="status" className="text-base">
          {writtenStatus(state, name)}
        </p>
      </div>
      {atRest && !showsLog && (
        <p className="mt-4 text-sm text-quiet">{name} is an AI, not a person. In an emergency text 70999.</p>
      )}
    </CallFrame>
  );
}

function lampOf({ status, awaited }: WrittenState, trouble: boolean): LampState {
  if (status === "loading") return "connecting";
  if (status === "active") return awaited ? "speaking" : "listening";
  return trouble ? "trouble" : "idle";
}

/** When the conversation ends its form goes, and the focus would go with it. */
function useFocusAfterTheEnd(
  start: RefObject<HTMLButtonElement | null>,
  status: WrittenState["status"],
): void {
  const before = useRef(status);
  useEffect(() => {
    if (before.current === "active" && status === "inactive") start.current?.focus();
    before.current = status;
  }, [status, start]);
}
