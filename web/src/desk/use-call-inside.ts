/**
 * The note and the signals of a call that is open on the page. They are read when it is opened, when it
 * stands otherwise, and now and then as the caller talks: each reading stands on the audit trail.
 */
import { type Dispatch, useEffect, useRef, useState } from "react";
import { Refusal } from "../api/client.ts";
import type { CallInside, DeskCall, NodeName } from "./contract.ts";
import { fetchCallInside } from "./desk-api.ts";
import type { DeskChange } from "./desk-state.ts";
import { refusalWords } from "./refusal-words.ts";

const READ_AGAIN_AFTER_MS = 15_000;
const OVER = "over";

export interface Inside {
  read: CallInside | null;
  /** Why it cannot be read, in words. */
  trouble: string | null;
}

export function useCallInside(
  callId: string,
  /** The node that has it. */
  node: NodeName,
  call: DeskCall | undefined,
  /** How often the caller has spoken. */
  turns: number,
  dispatch: Dispatch<DeskChange>,
): Inside {
  const [inside, setInside] = useState<Inside>({ read: null, trouble: null });
  const readAt = useRef(0);
  const stands = call ? `${call.state} ${call.urgent} ${call.agency}` : OVER;

  useEffect(() => {
    dispatch({ type: "opened", callId });
    return () => dispatch({ type: "closed", callId });
  }, [callId, dispatch]);

  useEffect(() => {
    // Of a call that is over nothing more is to be had than was read of it.
    if (stands === OVER && readAt.current > 0) return;
    return read(callId, node, readAt, setInside, dispatch);
  }, [callId, node, stands, dispatch]);

  useEffect(() => {
    if (turns === 0) return;
    let ended = () => {};
    const wait = Math.max(0, readAt.current + READ_AGAIN_AFTER_MS - Date.now());
    const timer = setTimeout(() => {
      ended = read(callId, node, readAt, setInside, dispatch);
    }, wait);
    return () => {
      clearTimeout(timer);
      ended();
    };
  }, [callId, node, turns, dispatch]);

  return inside;
}

function read(
  callId: string,
  node: NodeName,
  readAt: { current: number },
  set: (change: (before: Inside) => Inside) => void,
  dispatch: Dispatch<DeskChange>,
): () => void {
  let ended = false;
  readAt.current = Date.now();
  fetchCallInside(callId, node).then(
    (told) => {
      if (ended) return;
      set(() => ({ read: told, trouble: null }));
      dispatch({ type: "captions-read", callId, captions: told.captions });
    },
    (error: unknown) => {
      if (ended) return;
      const isOver = error instanceof Refusal && error.code === "call-not-found";
      // What was read of a call that has ended stays to be read.
      set((before) => (isOver && before.read ? before : { ...before, trouble: refusalWords(error) }));
    },
  );
  return () => {
    ended = true;
  };
}
