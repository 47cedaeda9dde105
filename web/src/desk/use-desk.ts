/** The desk while its page is open: what it is told by every node, and whether it rings. */
import { type Dispatch, useCallback, useEffect, useMemo, useReducer, useRef, useState } from "react";
import type { CaseNewsListener } from "./case-queries.ts";
import type { NodeName, OwnDuty, SaidDuty } from "./contract.ts";
import { fetchDuty, fetchLiveCalls, fetchNodes, fetchSignedAt, isSignedOut, setDuty } from "./desk-api.ts";
import { changeDesk, type DeskChange, type DeskState, EMPTY_DESK, elsewhere, ownDuty } from "./desk-state.ts";
import { refusalWords } from "./refusal-words.ts";
import { useSteady } from "./use-steady.ts";
import { watchNodes } from "./watch-nodes.ts";

const READ_AGAIN_AFTER_MS = 2000;
/** A node that is started again is away for a moment, of which nobody need hear. */
export const MISSED_AFTER_MS = 20_000;

/** What a node was told last of what one is at on others. */
interface ToldElsewhere {
  busy: boolean;
  wrapUpUntil: string | null;
}
const NOWHERE: ToldElsewhere = { busy: false, wrapUpUntil: null };

export interface Duty {
  /** Null until the server has said. */
  onDuty: boolean | null;
  /** One has just had a call, and is not rung before then. */
  wrapUpUntil: string | null;
  changing: boolean;
  trouble: string | null;
  set(onDuty: boolean): Promise<void>;
}

export function useDesk(
  takesShifts: boolean,
  signedOut: () => void,
  cases: CaseNewsListener,
): { state: DeskState; dispatch: Dispatch<DeskChange>; duty: Duty } {
  const [state, dispatch] = useReducer(changeDesk, EMPTY_DESK);
  const [changing, setChanging] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  /** What was chosen on this page: a server that was away has forgotten it. */
  const chosen = useRef<boolean | null>(null);
  /** What each node has been told of the others since its stream was opened. */
  const told = useRef(new Map<NodeName, ToldElsewhere>());
  const latest = useRef(state);
  latest.current = state;
  const leave = useRef(signedOut);
  leave.current = signedOut;
  const caseNews = useRef(cases);
  caseNews.current = cases;
  const [say, take] = useSayDuty(dispatch);
  /** Has a node read again in a moment. */
  const readLater = useRef<(node: NodeName) => void>(() => {});

  useEffect(() => {
    let ended = false;
    /** Of several askings for a node's list the last is the one whose answer counts. */
    const asked = new Map<NodeName, object>();
    const readAgain = new Map<NodeName, ReturnType<typeof setTimeout>>();
    const missing = new Map<NodeName, ReturnType<typeof setTimeout>>();
    /** Those that tell, in the order in which they came. Cases are the same at every node: the first tells of them. */
    const telling = new Set<NodeName>();
    let heardBefore = false;
    const first = () => telling.values().next().value;

    const readDuty = async (node: NodeName) => {
      if (!takesShifts) return;
      const duty = await fetchDuty(node);
      take(node, duty);
      const others = [...latest.current.duties].filter(([other]) => other !== node);
      if (chosen.current === null && duty.onDuty) {
        // Said on an earlier page. Those that have not heard of it, or have forgotten it, are told.
        chosen.current = true;
        for (const [other, { onDuty }] of others)
          if (!onDuty && telling.has(other)) say(other, { onDuty: true }).catch(() => later(other));
      }
      // One that could not be told rings on, though the others do not.
      const rings = chosen.current === false && duty.onDuty && others.some(([, { onDuty }]) => !onDuty);
      const lost = chosen.current === true && !duty.onDuty;
      if (lost || rings) await say(node, { onDuty: lost });
    };
    /** What a desk needs beside its events. Asked for until it is there. */
    const readAll = (node: NodeName) => {
      clearTimeout(readAgain.get(node));
      const asking = {};
      asked.set(node, asking);
      dispatch({ type: "calls-asked", node });
      const reading = Promise.all([
        fetchLiveCalls(node).then(
          ({ calls }) => asked.get(node) === asking && dispatch({ type: "calls-read", node, calls }),
        ),
        readDuty(node),
      ]);
      reading.catch((error: unknown) => {
        if (isSignedOut(error)) leave.current();
        else later(node);
      });
    };
    const later = (node: NodeName) => {
      clearTimeout(readAgain.get(node));
      if (ended || !telling.has(node)) return;
      const timer = setTimeout(() => readAll(node), READ_AGAIN_AFTER_MS);
      readAgain.set(node, timer);
    };
    readLater.current = later;
    const silent = (node: NodeName) => {
      const wasFirst = first() === node;
      telling.delete(node);
      clearTimeout(readAgain.get(node));
      // Nobody knows what it would have told since it was last heard.
      if (wasFirst && telling.size > 0) caseNews.current.heardAgain();
    };
    const end = watchNodes({
      fetchNodes,
      noAnswer: (error) => {
        if (isSignedOut(error)) leave.current();
        else dispatch({ type: "no-answer" });
      },
      found: (node) => dispatch({ type: "node-found", node }),
      connected: (node) => {
        clearTimeout(missing.get(node));
        missing.delete(node);
        told.current.delete(node);
        dispatch({ type: "connected", node });
        telling.add(node);
        if (heardBefore && first() === node) caseNews.current.heardAgain();
        heardBefore = true;
        readAll(node);
      },
      lost: (node) => {
        silent(node);
        dispatch({ type: "connection-lost", node });
        if (missing.has(node)) return;
        const missed = () => dispatch({ type: "node-missed", node });
        missing.set(node, setTimeout(missed, MISSED_AFTER_MS));
      },
      gone: (node) => {
        silent(node);
        clearTimeout(missing.get(node));
        missing.delete(node);
        dispatch({ type: "node-gone", node });
      },
      told: (node, news) => {
        if (news.type === "duty") take(node, news);
        else if (news.type !== "case") dispatch({ ...news, node });
        else if (first() === node) caseNews.current.told(news.callId);
      },
      isStillSignedIn: async (node) => {
        try {
          await fetchSignedAt(node);
          return true;
        } catch (error) {
          if (isSignedOut(error)) return false;
          throw error;
        }
      },
      signedOut: () => leave.current(),
    });
    return () => {
      ended = true;
      for (const timer of [...readAgain.values(), ...missing.values()]) clearTimeout(timer);
      end();
    };
  }, [takesShifts, say, take]);

  // A node rings whoever is free as far as it knows: what one is at elsewhere it is told here.
  useEffect(() => {
    for (const node of state.duties.keys()) {
      if (state.nodes.get(node) !== "connected") continue;
      const { busy, wrapUpUntil, isKnown } = elsewhere(state, node, Date.now());
      const before = told.current.get(node) ?? NOWHERE;
      const isNews = !isKnown && isLater(wrapUpUntil, before.wrapUpUntil);
      if (busy === before.busy && !isNews) continue;
      told.current.set(node, { busy, wrapUpUntil: isNews ? wrapUpUntil : before.wrapUpUntil });
      say(node, { ...(busy && { busy }), ...(wrapUpUntil && { wrapUpUntil }) }).catch(() => {
        told.current.delete(node);
        readLater.current(node);
      });
    }
  }, [state, say]);

  const set = useSteady(async (wanted: boolean) => {
    setChanging(true);
    setTrouble(null);
    const { nodes } = latest.current;
    const connected = [...nodes].filter(([, stands]) => stands === "connected").map(([node]) => node);
    // Where none is known to be there, whichever answers is asked, and says what is wrong.
    const [node = null, ...others] = connected;
    const { wrapUpUntil } = ownDuty(latest.current);
    const saying = (at: NodeName) => {
      const { busy } = elsewhere(latest.current, at, Date.now());
      // One's wrap-up is over with this, at whichever node it began.
      told.current.set(at, { busy, wrapUpUntil });
      return say(at, { onDuty: wanted, ...(busy && { busy }) });
    };
    try {
      // First one, then the others: so the audit trail has it once.
      await saying(node);
      chosen.current = wanted;
      await Promise.all(others.map((other) => saying(other).catch(() => readLater.current(other))));
    } catch (error) {
      if (isSignedOut(error)) leave.current();
      setTrouble(refusalWords(error));
    } finally {
      setChanging(false);
    }
  });
  const { onDuty, wrapUpUntil } = ownDuty(state);
  const duty = useMemo(
    () => ({ onDuty, wrapUpUntil, changing, trouble, set }),
    [onDuty, wrapUpUntil, changing, trouble, set],
  );
  return { state, dispatch, duty };
}

function isLater(moment: string | null, other: string | null): boolean {
  return moment !== null && (other === null || Date.parse(moment) > Date.parse(other));
}

/** What is said of oneself; without a word of one's duty that stays as the node knows it. */
type Saying = Omit<SaidDuty, "onDuty"> & Partial<Pick<SaidDuty, "onDuty">>;

/** What says to a node what one is at, and what takes in what it knows. */
function useSayDuty(dispatch: Dispatch<DeskChange>) {
  const known = useRef(new Map<NodeName, boolean>());
  const queues = useRef(new Map<NodeName, Promise<void>>());
  const take = useCallback(
    (node: NodeName, { onDuty, wrapUpUntil = null }: OwnDuty) => {
      known.current.set(node, onDuty);
      dispatch({ type: "duty", node, onDuty, wrapUpUntil });
    },
    [dispatch],
  );
  const say = useCallback(
    (node: NodeName, said: Saying): Promise<void> => {
      // One after the other: of two words that are on their way at once either could come last.
      const before = queues.current.get(node) ?? Promise.resolve();
      const saying = before
        .catch(() => {})
        .then(() => setDuty({ onDuty: known.current.get(node) ?? false, ...said }, node))
        .then((duty) => take(node, duty));
      queues.current.set(node, saying);
      return saying;
    },
    [take],
  );
  return [say, take] as const;
}
