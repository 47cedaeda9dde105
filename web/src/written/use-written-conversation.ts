/** A written conversation for a page: its state, and the few things one can do with it. */
import { useCallback, useEffect, useReducer, useRef } from "react";
import { onLeaving } from "../call/leaving.ts";
import type { CallListeners } from "../call/use-voice-call.ts";
import { VoiceError } from "../voice/voice-error.ts";
import type { CallTarget, Platform } from "../voice/web-call.ts";
import { type Chat, ChatIsOver, ChatMovedOn, type ChatPlace, createChat, endChat } from "./chat-api.ts";
import { changeWritten, NOT_WRITING, type WrittenState } from "./written-state.ts";

export interface WrittenConversation {
  state: WrittenState;
  start(): void;
  send(text: string): void;
  /** Ends it at once, waiting for nothing; so it also serves a page that is going away. */
  end(): void;
}

/** Where a conversation stands. */
interface Latest {
  platform: Platform;
  chat: Chat;
}

/** All three must keep their identity. */
export function useWrittenConversation(
  platform: () => Promise<Platform>,
  target: () => Promise<CallTarget>,
  listeners: CallListeners,
): WrittenConversation {
  const [state, change] = useReducer(changeWritten, NOT_WRITING);
  const latest = useRef<Latest | null>(null);
  const asking = useRef<AbortController | null>(null);

  const end = useCallback(() => {
    asking.current?.abort();
    const left = latest.current;
    latest.current = null;
    if (!left) return;
    void endChat(left.platform, left.chat.id);
    change({ type: "ended", reason: "customer-ended-call" });
    listeners.ended(left.chat.conversation);
  }, [listeners]);
  useEffect(() => {
    window.addEventListener("pagehide", end);
    const removal = onLeaving(end);
    return () => {
      window.removeEventListener("pagehide", end);
      removal();
      end();
    };
  }, [end]);

  /** One exchange at a time; what comes back after the conversation was left is dropped. */
  const exchange = async (from: Platform, place: ChatPlace, text: string) => {
    const mine = new AbortController();
    asking.current = mine;
    const chat = await createChat(from, place, text, mine.signal);
    if (mine.signal.aborted) {
      void endChat(from, chat.id);
      return null;
    }
    latest.current = chat.endedReason === null ? { platform: from, chat } : null;
    return chat;
  };

  const start = async () => {
    change({ type: "start-pressed" });
    try {
      const chat = await exchange(await platform(), { with: await target() }, "");
      if (!chat) return;
      change({ type: "answered", ...chat });
      listeners.started(chat.conversation);
    } catch (error) {
      if (asking.current?.signal.aborted) return;
      console.error("Failed to start the written conversation", error);
      change({ type: "start-failed", trouble: VoiceError.from(error, "server-unreachable").trouble });
    }
  };

  const send = async (text: string) => {
    const before = latest.current;
    if (!before) return;
    change({ type: "written", text });
    const { conversation } = before.chat;
    try {
      const chat = await exchange(before.platform, { after: before.chat.id }, text).catch(
        (error: unknown) => {
          if (!(error instanceof ChatMovedOn)) throw error;
          return exchange(before.platform, { in: conversation }, text);
        },
      );
      if (!chat) return;
      change({ type: "answered", ...chat });
      if (chat.endedReason !== null) listeners.ended(conversation);
    } catch (error) {
      if (asking.current?.signal.aborted) return;
      if (error instanceof ChatIsOver) {
        latest.current = null;
        change({ type: "ended", reason: "" });
        listeners.ended(conversation);
        return;
      }
      console.error("what was written could not be sent", error);
      change({ type: "not-sent", trouble: VoiceError.from(error, "server-unreachable").trouble });
    }
  };

  return {
    state,
    start: () => {
      if (state.status === "inactive" || state.status === "error") void start();
    },
    send: (text) => {
      if (state.status === "active" && !state.awaited && text.trim() !== "") void send(text.trim());
    },
    end,
  };
}
