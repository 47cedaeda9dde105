/**
 * A call that is open on the page: its note and signals as they are found, and what is said as it is said. They come by a
 * stream of the call's own, at the node that has it; opening that stands on the audit trail.
 */
import { type Dispatch, useEffect, useRef, useState } from "react";
import { Refusal } from "../api/client.ts";
import type { CallInside, DeskCall, NodeName } from "./contract.ts";
import { callEventsAddress, fetchCallInside } from "./desk-api.ts";
import type { DeskChange } from "./desk-state.ts";
import { refusalWords } from "./refusal-words.ts";
import { type CallNews, watchCall } from "./watch-call.ts";

const OVER = "over";
const UNAVAILABLE = 500;

export interface Inside {
  read: CallInside | null;
  /** Why it cannot be read, in words. */
  trouble: string | null;
}

export function useCallInside(
  callId: string,
  /** The node that has it. */
  node: NodeName,
  /** That node tells nothing: its stream may be dead without a word. */
  isLost: boolean,
  call: DeskCall | undefined,
  dispatch: Dispatch<DeskChange>,
): Inside {
  const [inside, setInside] = useState<Inside>({ read: null, trouble: null });
  const stands = call ? `${call.state} ${call.urgent} ${call.agency} ${call.yours}` : OVER;
  /** How it stood when it was refused: one that stands otherwise may be one's own by now. */
  const refusedAs = useRef<string | null>(null);
  const standsNow = useRef(stands);
  standsNow.current = stands;
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    dispatch({ type: "opened", callId });
    return () => dispatch({ type: "closed", callId });
  }, [callId, dispatch]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens it anew
  useEffect(() => {
    if (isLost) return;
    refusedAs.current = null;
    let asked = standsNow.current;
    const told = (news: CallNews) => {
      if (news.type === "inside") {
        const { type: _, ...read } = news;
        setInside({ read, trouble: null });
        dispatch({ type: "captions-read", callId, captions: read.captions });
      } else if (news.type === "note") {
        const { note, signals } = news;
        setInside(({ read, trouble }) => ({ read: read && { ...read, note, signals }, trouble }));
      } else if (news.type === "caption") dispatch({ ...news, callId });
    };
    const refused = (error: unknown) => {
      const isOver = error instanceof Refusal && error.code === "call-not-found";
      // What was read of a call that has ended stays to be read.
      setInside((before) => (isOver && before.read ? before : { ...before, trouble: refusalWords(error) }));
      const isAway = !(error instanceof Refusal) || error.status >= UNAVAILABLE;
      const isAsItWas = asked === standsNow.current;
      if (!isAway && isAsItWas) refusedAs.current = asked;
      return isAway || (!isAsItWas && standsNow.current !== OVER);
    };
    const read = () => {
      asked = standsNow.current;
      return fetchCallInside(callId, node);
    };
    return watchCall({ told, read, refused }, callEventsAddress(callId, node));
  }, [callId, node, isLost, attempt, dispatch]);

  useEffect(() => {
    if (refusedAs.current === null || refusedAs.current === stands || stands === OVER) return;
    setAttempt((before) => before + 1);
  }, [stands]);

  return inside;
}
