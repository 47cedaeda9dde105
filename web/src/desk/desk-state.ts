/**
 * What the desk shows, from what it was told: the live calls, what rings, who was not reached, and the
 * captions of calls that are open on the page. Pure.
 */
import type { DeskCall, DeskCaption, DeskEvents, UnreachedWhy } from "./contract.ts";

export interface Ring {
  callId: string;
  agency: string;
  since: string;
}

/** A call that rang here, and that a colleague has taken. */
export interface Taken {
  callId: string;
  agency: string;
  by: string;
}

export interface Unreached {
  /** Its own: a call may go unreached twice. */
  id: number;
  callId: string;
  agency: string | null;
  why: UnreachedWhy;
}

export interface DeskState {
  /** Whether events come. At first nobody knows. */
  connection: "connecting" | "connected" | "lost";
  calls: ReadonlyMap<string, DeskCall>;
  /** Whether the live calls have been read once. */
  read: boolean;
  ringing: readonly Ring[];
  taken: Taken | null;
  unreached: readonly Unreached[];
  /** Of the calls that are open on the page, and of no others. */
  captions: ReadonlyMap<string, readonly DeskCaption[]>;
  /** Until when one's desk does not ring after a call of one's own. */
  wrapUpUntil: string | null;
  /** The calls that were told of while the list was being read: what was told is newer than the list. */
  toldMeanwhile: ReadonlySet<string>;
}

export const EMPTY_DESK: DeskState = {
  connection: "connecting",
  calls: new Map(),
  read: false,
  ringing: [],
  taken: null,
  unreached: [],
  captions: new Map(),
  wrapUpUntil: null,
  toldMeanwhile: new Set(),
};

export type DeskNews = { [Name in keyof DeskEvents]: { type: Name } & DeskEvents[Name] }[keyof DeskEvents];

/** Cases are read by whoever shows them: of these nothing is kept here. */
export type CaseNews = Extract<DeskNews, { type: "case" }>;

export type DeskChange =
  | Exclude<DeskNews, CaseNews>
  | { type: "connected" }
  | { type: "connection-lost" }
  | { type: "calls-read"; calls: readonly DeskCall[] }
  | { type: "opened"; callId: string }
  | { type: "closed"; callId: string }
  | { type: "captions-read"; callId: string; captions: readonly DeskCaption[] }
  | { type: "answered"; callId: string }
  | { type: "taken-told"; callId: string; by: string }
  | { type: "taken-put-away" }
  | { type: "unreached-put-away"; id: number };

export function changeDesk(state: DeskState, change: DeskChange): DeskState {
  switch (change.type) {
    case "connected":
      // What rings is told anew; what has stopped meanwhile is not.
      return { ...state, connection: "connected", ringing: [], toldMeanwhile: new Set() };
    case "connection-lost":
      // A desk that may have been overtaken is not to ring.
      return { ...state, connection: "lost", ringing: [] };
    case "calls-read": {
      const calls = new Map(change.calls.map((call) => [call.callId, call]));
      for (const callId of state.toldMeanwhile) {
        const told = state.calls.get(callId);
        if (told) calls.set(callId, told);
        else calls.delete(callId);
      }
      return { ...state, calls, read: true, toldMeanwhile: new Set() };
    }
    case "call": {
      const { type: _, ...call } = change;
      return { ...state, ...withCall(state, call.callId, call) };
    }
    case "call-over":
      return {
        ...state,
        ...withCall(state, change.callId, null),
        ringing: without(state.ringing, change.callId),
      };
    case "duty":
      return { ...state, wrapUpUntil: change.wrapUpUntil ?? null };
    case "ringing": {
      const { callId, agency, since } = change;
      return { ...state, ringing: [...without(state.ringing, callId), { callId, agency, since }] };
    }
    case "ringing-over": {
      const rang = state.ringing.find(({ callId }) => callId === change.callId);
      const byColleague = rang && change.takenBy !== null && !change.yours;
      return {
        ...state,
        ringing: without(state.ringing, change.callId),
        taken: byColleague
          ? { callId: rang.callId, agency: rang.agency, by: change.takenBy as string }
          : state.taken,
      };
    }
    case "answered":
      return { ...state, ringing: without(state.ringing, change.callId) };
    case "taken-told": {
      const rang = state.ringing.find(({ callId }) => callId === change.callId);
      const agency = rang?.agency ?? state.calls.get(change.callId)?.agency ?? "";
      return {
        ...state,
        ringing: without(state.ringing, change.callId),
        taken: { callId: change.callId, agency, by: change.by },
      };
    }
    case "taken-put-away":
      return { ...state, taken: null };
    case "unreached": {
      const { callId, agency, why } = change;
      const id = (state.unreached.at(-1)?.id ?? 0) + 1;
      return { ...state, unreached: [...state.unreached, { id, callId, agency, why }] };
    }
    case "unreached-put-away":
      return { ...state, unreached: state.unreached.filter(({ id }) => id !== change.id) };
    case "opened":
      if (state.captions.has(change.callId)) return state;
      return { ...state, captions: new Map(state.captions).set(change.callId, []) };
    case "closed": {
      const captions = new Map(state.captions);
      captions.delete(change.callId);
      return { ...state, captions };
    }
    case "captions-read":
      return withCaptions(state, change.callId, change.captions);
    case "caption": {
      const { speaker, text, at } = change;
      return withCaptions(state, change.callId, [{ speaker, text, at }]);
    }
  }
}

function withCall(state: DeskState, callId: string, call: DeskCall | null) {
  const calls = new Map(state.calls);
  if (call) calls.set(callId, call);
  else calls.delete(callId);
  return { calls, toldMeanwhile: new Set(state.toldMeanwhile).add(callId) };
}

/** One that is told and also read is there once. */
function withCaptions(state: DeskState, callId: string, more: readonly DeskCaption[]): DeskState {
  const known = state.captions.get(callId);
  if (!known) return state;
  const same = (one: DeskCaption, other: DeskCaption) =>
    one.at === other.at && one.speaker === other.speaker && one.text === other.text;
  const added = more.filter((each) => !known.some((one) => same(one, each)));
  if (added.length === 0) return state;
  const all = [...known, ...added].toSorted((one, other) => one.at - other.at);
  return { ...state, captions: new Map(state.captions).set(callId, all) };
}

function without(ringing: readonly Ring[], call: string): readonly Ring[] {
  return ringing.filter(({ callId }) => callId !== call);
}

/** The most urgent first, then those that have waited longest. */
export function inOrder(calls: ReadonlyMap<string, DeskCall>): DeskCall[] {
  return [...calls.values()].toSorted(
    (one, other) =>
      Number(other.urgent) - Number(one.urgent) || Date.parse(one.since) - Date.parse(other.since),
  );
}
