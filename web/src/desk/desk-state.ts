/**
 * What the desk shows, from what it was told: the live calls, what rings, who was not reached, and the
 * captions of calls that are open on the page. Told by each node of the calls that it has; one that is lost
 * takes nothing with it of the others'. Pure.
 */
import type {
  CallEvents,
  DeskCall,
  DeskCaption,
  DeskEvents,
  NodeName,
  OwnDuty,
  UnreachedWhy,
} from "./contract.ts";

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

export type Connection = "connecting" | "connected" | "lost";

export interface DeskState {
  /** Whether events come, from any node. At first nobody knows. */
  connection: Connection;
  nodes: ReadonlyMap<NodeName, Connection>;
  /** Nodes that could not be reached for longer than a moment, while others are. */
  missed: ReadonlySet<NodeName>;
  calls: ReadonlyMap<string, DeskCall>;
  /** The node that has each call, which is asked about it. */
  at: ReadonlyMap<string, NodeName>;
  /** Whether the live calls have been read once. */
  read: boolean;
  ringing: readonly Ring[];
  taken: Taken | null;
  unreached: readonly Unreached[];
  /** Of the calls that are open on the page, and of no others. */
  captions: ReadonlyMap<string, readonly DeskCaption[]>;
  /** What each node says of one's own duty. */
  duties: ReadonlyMap<NodeName, OwnDuty>;
  /** The calls that each node told of while its list is being read: what was told is newer than the list. */
  toldMeanwhile: ReadonlyMap<NodeName, ReadonlySet<string>>;
}

export const EMPTY_DESK: DeskState = {
  connection: "connecting",
  nodes: new Map(),
  missed: new Set(),
  calls: new Map(),
  at: new Map(),
  read: false,
  ringing: [],
  taken: null,
  unreached: [],
  captions: new Map(),
  duties: new Map(),
  toldMeanwhile: new Map(),
};

export type DeskNews = { [Name in keyof DeskEvents]: { type: Name } & DeskEvents[Name] }[keyof DeskEvents];

/** Cases are read by whoever shows them: of these nothing is kept here. */
export type CaseNews = Extract<DeskNews, { type: "case" }>;

/** By whom it was told; none is named where there is one. */
type ByNode = { node?: NodeName };

export type DeskChange =
  | (Exclude<DeskNews, CaseNews> & ByNode)
  | ({ type: "node-found" } & ByNode)
  | ({ type: "connected" } & ByNode)
  | ({ type: "connection-lost" } & ByNode)
  /** It has been lost for longer than a moment. */
  | ({ type: "node-missed" } & ByNode)
  | ({ type: "node-gone" } & ByNode)
  /** Nobody says which nodes there are. */
  | { type: "no-answer" }
  /** Its list is being read. */
  | ({ type: "calls-asked" } & ByNode)
  | ({ type: "calls-read"; calls: readonly DeskCall[] } & ByNode)
  | { type: "opened"; callId: string }
  | { type: "closed"; callId: string }
  | { type: "captions-read"; callId: string; captions: readonly DeskCaption[] }
  | ({ type: "caption" } & CallEvents["caption"])
  | { type: "answered"; callId: string }
  | { type: "taken-told"; callId: string; by: string }
  | { type: "taken-put-away" }
  | { type: "unreached-put-away"; id: number };

export function changeDesk(state: DeskState, change: DeskChange): DeskState {
  switch (change.type) {
    case "node-found":
      return standing(state, nodeOf(change), "connecting");
    case "connected": {
      const node = nodeOf(change);
      const toldMeanwhile = new Map(state.toldMeanwhile).set(node, new Set<string>());
      // What rings is told anew; what has stopped meanwhile is not.
      return { ...silenced(standing(state, node, "connected"), node), toldMeanwhile };
    }
    case "connection-lost":
      // A desk that may have been overtaken is not to ring.
      return silenced(standing(state, nodeOf(change), "lost"), nodeOf(change));
    case "node-missed": {
      const node = nodeOf(change);
      if (state.nodes.get(node) !== "lost") return state;
      return { ...state, missed: new Set(state.missed).add(node) };
    }
    case "node-gone": {
      const node = nodeOf(change);
      const isThere = ([callId]: readonly [string, unknown]) => state.at.get(callId) !== node;
      const duties = new Map(state.duties);
      duties.delete(node);
      const calls = new Map([...state.calls].filter(isThere));
      const at = knownAt(new Map(state.at), calls, state.captions, state.ringing);
      return { ...silenced(standing(state, node, null), node), calls, at, duties };
    }
    case "no-answer":
      return state.nodes.size === 0 ? { ...state, connection: "lost" } : state;
    case "calls-asked": {
      const node = nodeOf(change);
      if (state.toldMeanwhile.has(node)) return state;
      return { ...state, toldMeanwhile: new Map(state.toldMeanwhile).set(node, new Set<string>()) };
    }
    case "calls-read": {
      const node = nodeOf(change);
      const [calls, at] = [new Map(state.calls), new Map(state.at)];
      const told = state.toldMeanwhile.get(node);
      for (const callId of state.calls.keys())
        if (at.get(callId) === node && !told?.has(callId)) calls.delete(callId);
      for (const call of change.calls) {
        if (told?.has(call.callId)) continue;
        calls.set(call.callId, call);
        at.set(call.callId, node);
      }
      const toldMeanwhile = new Map(state.toldMeanwhile);
      toldMeanwhile.delete(node);
      return {
        ...state,
        calls,
        at: knownAt(at, calls, state.captions, state.ringing),
        read: true,
        toldMeanwhile,
      };
    }
    case "call": {
      const { type: _, node: __, ...call } = change;
      return { ...state, ...withCall(state, call, nodeOf(change)) };
    }
    case "call-over": {
      const { callId } = change;
      const at = state.at.get(callId);
      // What a node that has lost a call says of it is not about the one that has taken it up.
      if (at !== undefined && at !== nodeOf(change)) return state;
      const over = withoutCall(state, callId, nodeOf(change));
      return { ...state, ...over, ringing: without(state.ringing, callId) };
    }
    case "duty": {
      const { onDuty, wrapUpUntil = null } = change;
      const duties = new Map(state.duties).set(nodeOf(change), { onDuty, wrapUpUntil });
      return { ...state, duties };
    }
    case "ringing": {
      const { callId, agency, since } = change;
      const at = new Map(state.at).set(callId, nodeOf(change));
      return { ...state, at, ringing: [...without(state.ringing, callId), { callId, agency, since }] };
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
      return { ...state, captions, at: knownAt(new Map(state.at), state.calls, captions, state.ringing) };
    }
    case "captions-read":
      return withCaptions(withoutPartial(state, change.callId), change.callId, change.captions);
    case "caption": {
      const { callId, speaker, officer, text, at, isFinal } = change;
      const before = withoutPartial(state, callId, speaker);
      if (text.trim() === "") return before;
      return withCaptions(before, callId, [
        { speaker, officer, text, at, ...(!isFinal && { partial: true }) },
      ]);
    }
  }
}

const nodeOf = ({ node = null }: ByNode): NodeName => node;

/** How a node stands; null: it is none any more. */
function standing(state: DeskState, node: NodeName, stands: Connection | null): DeskState {
  const [nodes, missed] = [new Map(state.nodes), new Set(state.missed)];
  if (stands) nodes.set(node, stands);
  else nodes.delete(node);
  if (stands !== "lost") missed.delete(node);
  const all = [...nodes.values()];
  const connection = all.includes("connected")
    ? "connected"
    : all.length === 0 || all.includes("connecting")
      ? "connecting"
      : "lost";
  return { ...state, nodes, missed, connection };
}

/** Without what this node has ringing. */
function silenced(state: DeskState, node: NodeName): DeskState {
  const ringing = state.ringing.filter(({ callId }) => state.at.get(callId) !== node);
  return { ...state, ringing };
}

function withCall(state: DeskState, call: DeskCall, node: NodeName) {
  const calls = new Map(state.calls).set(call.callId, call);
  // A shift has thousands of calls, each of which stands otherwise many times.
  const at = state.at.get(call.callId) === node ? state.at : new Map(state.at).set(call.callId, node);
  return { calls, at, toldMeanwhile: toldOf(state, call.callId, node) };
}

function withoutCall(state: DeskState, callId: string, node: NodeName) {
  const [calls, at] = [new Map(state.calls), new Map(state.at)];
  calls.delete(callId);
  if (!state.captions.has(callId)) at.delete(callId);
  return { calls, at, toldMeanwhile: toldOf(state, callId, node) };
}

function toldOf({ toldMeanwhile }: DeskState, callId: string, node: NodeName) {
  const told = toldMeanwhile.get(node);
  return told ? new Map(toldMeanwhile).set(node, new Set(told).add(callId)) : toldMeanwhile;
}

/** Of a call that is over nobody asks any more, unless it is open on the page; one that rings may not be in the list. */
function knownAt(
  at: Map<string, NodeName>,
  calls: DeskState["calls"],
  captions: DeskState["captions"],
  ringing: readonly Ring[],
): Map<string, NodeName> {
  for (const callId of at.keys())
    if (!calls.has(callId) && !captions.has(callId) && !ringing.some((ring) => ring.callId === callId))
      at.delete(callId);
  return at;
}

/** Without what this speaker, or anybody, is still saying: something newer takes its place. */
function withoutPartial(state: DeskState, callId: string, of?: DeskCaption["speaker"]): DeskState {
  const known = state.captions.get(callId);
  const isLeft = ({ partial, speaker }: DeskCaption) => !partial || (of !== undefined && speaker !== of);
  if (!known || known.every(isLeft)) return state;
  return { ...state, captions: new Map(state.captions).set(callId, known.filter(isLeft)) };
}

/** One that is told and also read is there once. */
function withCaptions(state: DeskState, callId: string, more: readonly DeskCaption[]): DeskState {
  const known = state.captions.get(callId);
  if (!known) return state;
  const there = new Set(known.map(sameFor));
  const added = more.filter((each) => !there.has(sameFor(each)));
  if (added.length === 0) return state;
  const all = [...known, ...added].toSorted((one, other) => one.at - other.at);
  return { ...state, captions: new Map(state.captions).set(callId, all) };
}

const sameFor = ({ at, speaker, text }: DeskCaption) => `${at} ${speaker} ${text}`;

function without(ringing: readonly Ring[], call: string): readonly Ring[] {
  return ringing.filter(({ callId }) => callId !== call);
}

/** The most urgent first, then those that have waited longest. */
export function inOrder(calls: ReadonlyMap<string, DeskCall>): DeskCall[] {
  // Each moment is read once, not at each comparison.
  const dated = [...calls.values()].map((call) => ({ call, since: Date.parse(call.since) }));
  dated.sort((one, other) => Number(other.call.urgent) - Number(one.call.urgent) || one.since - other.since);
  return dated.map(({ call }) => call);
}

/** Whether one is on duty, at any node; null until one has said. And until when one wraps up. */
export function ownDuty({ duties }: DeskState): { onDuty: boolean | null; wrapUpUntil: string | null } {
  const all = [...duties.values()];
  const onDuty = all.length === 0 ? null : all.some((duty) => duty.onDuty);
  return { onDuty, wrapUpUntil: latest(all.map(({ wrapUpUntil }) => wrapUpUntil ?? null)) };
}

/** What a node has to be told of what one is at on others, which it cannot know. */
export interface Elsewhere {
  busy: boolean;
  /** Until when one wraps up, at whichever node that began. */
  wrapUpUntil: string | null;
  /** The node knows of that, by itself or because it has been told. */
  isKnown: boolean;
}

/** A node that was told of a moment tells it again a little cut short. */
const THE_SAME_MS = 1500;

export function elsewhere(state: DeskState, node: NodeName, now: number): Elsewhere {
  const calls = [...state.calls.values()];
  const busy = calls.some(({ callId, yours }) => yours && (state.at.get(callId) ?? null) !== node);
  const until = Date.parse(ownDuty(state).wrapUpUntil ?? "") || 0;
  const known = Date.parse(state.duties.get(node)?.wrapUpUntil ?? "") || 0;
  const wrapUpUntil = until > now ? ownDuty(state).wrapUpUntil : null;
  return { busy, wrapUpUntil, isKnown: until <= known + THE_SAME_MS };
}

function latest(moments: readonly (string | null)[]): string | null {
  const told = moments.filter((moment) => moment !== null);
  return told.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1) ?? null;
}
