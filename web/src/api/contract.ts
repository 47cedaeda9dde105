/**
 * The server's own API as the page reads it. The shapes are generated from the server's OpenAPI document
 * (`schema.d.ts`, by `npm run api`); here they are only named, and made forgiving where the page has a
 * default for what is missing.
 */
import type { components } from "./schema.d.ts";

type Schemas = components["schemas"];
type Forgiving<T> = { [Field in keyof T]?: T[Field] | null };

export type PageConfig = Pick<
  Schemas["Config"],
  | "voicePlatform"
  | "platformUrl"
  | "publicKey"
  | "assistantId"
  | "squadId"
  | "written"
  | "assistantName"
  | "voice"
  | "recordsKeptDays"
  | "links"
>;

/** How the line is, as operators are told. */
export type LineStatus = Schemas["Status"];
export type PartStatus = Schemas["Part"];

export type StructuredInfo = Forgiving<Schemas["StructuredData"]>;

export type EvidenceInfo = Pick<Schemas["Evidence"], "claim" | "words" | "turn" | "messageIndex">;

/** A call as the history lists it: only its id is certain. What was said is told of one call, and not in a list. */
export type CallInfo = Pick<Schemas["ListedCall"], "callId"> &
  Forgiving<Omit<Schemas["ListedCall"], "callId" | "structuredData">> & {
    structuredData?: StructuredInfo | null;
    messages?: Pick<Schemas["ConversationMessage"], "role" | "message">[] | null;
    evidence?: EvidenceInfo[] | null;
    escalationTriggers?: EvidenceInfo[] | null;
    notice?: Schemas["ShownNotice"] | null;
  };
