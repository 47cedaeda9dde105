/**
 * The platform's `/chat`, with the assistant that also takes calls. A chat is one exchange; each names
 * the one before it, and the first one's session is the conversation, whose record stands among the
 * calls under that id.
 */
import { api, outlivingThePage, Refusal, within } from "../api/client.ts";
import type { components } from "../api/schema.d.ts";
import { VoiceError } from "../voice/voice-error.ts";
import { type CallTarget, keyOf, type Platform, refusal, unanswered } from "../voice/web-call.ts";

type CreateChat = components["schemas"]["CreateChat"];

export interface Chat {
  id: string;
  /** The call id of the conversation's record. */
  conversation: string;
  /** What the assistant says, in order. */
  said: string[];
  /** Why the conversation is over, in the platform's words; null while it goes on. */
  endedReason: string | null;
  /** The agency that the conversation is handed to by this exchange. */
  transferTo: string | null;
}

/** The first exchange of a conversation, or one after another. */
export type ChatPlace = { with: CallTarget } | { after: string } | { in: string };

/** The most characters the platform takes at once. */
export const MOST_CHARACTERS = 4000;
/** A configured chat model may take some seconds; the server's own bounds are well below. */
const ANSWER_WITHIN_MS = 20_000;

/** The chat named is not the latest: another window has gone on with the conversation. */
export class ChatMovedOn extends Error {}
/** The conversation has ended meanwhile. */
export class ChatIsOver extends Error {}

export async function createChat(
  platform: Platform,
  place: ChatPlace,
  input: string,
  signal: AbortSignal,
): Promise<Chat> {
  let answer: unknown;
  try {
    const asked = await api.POST("/chat", {
      ...keyOf(platform),
      body: { ...placeFields(place), input },
      signal,
      fetch: within(ANSWER_WITHIN_MS),
    });
    answer = asked.data;
  } catch (error) {
    if (!(error instanceof Refusal)) throw unanswered(error, "the platform's answer is no chat");
    if (error.status === 409) throw new ChatMovedOn();
    if (error.status === 410) throw new ChatIsOver();
    throw refusal(error.status, "writing");
  }
  const chat = readChat(answer);
  if (!chat) throw new VoiceError("call-refused", "the platform's answer is no chat");
  return chat;
}

/** Ends the conversation. Also while the page goes away; what fails is ended by the server in time. */
export async function endChat(platform: Platform, chat: string): Promise<void> {
  const asked = api.DELETE("/chat/{id}", {
    ...keyOf(platform),
    params: { path: { id: chat } },
    keepalive: true,
    fetch: outlivingThePage,
  });
  await asked.catch(() => {});
}

/** Reads an answer; null when it is none. What the hosted platform leaves out is not missed. */
export function readChat(value: unknown): Chat | null {
  if (!isObject(value) || typeof value.id !== "string") return null;
  const { id, sessionId, output, status, endedReason, transfer } = value;
  const said = (Array.isArray(output) ? output : []).flatMap((message) =>
    isObject(message) && message.role === "assistant" && typeof message.content === "string"
      ? [message.content]
      : [],
  );
  return {
    id,
    conversation: typeof sessionId === "string" && sessionId !== "" ? sessionId : id,
    said: said.filter((words) => words.trim() !== ""),
    endedReason: status === "ended" ? (typeof endedReason === "string" ? endedReason : "") : null,
    transferTo: isObject(transfer) && typeof transfer.agency === "string" ? transfer.agency : null,
  };
}

function placeFields(place: ChatPlace): Omit<CreateChat, "input"> {
  if ("after" in place) return { previousChatId: place.after };
  if ("in" in place) return { sessionId: place.in };
  const { assistant, squad, assistantOverrides } = place.with;
  const named = squad ? { squadId: squad } : { assistantId: assistant };
  // What is not said of an assistant or a variable in the description is the platform's own.
  return { ...named, ...(assistantOverrides && { assistantOverrides }) } as Pick<
    CreateChat,
    "assistantId" | "squadId"
  >;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
