/** The desk while its page is open: what it is told, and whether it rings. */
import { type Dispatch, useCallback, useEffect, useReducer, useRef, useState } from "react";
import type { CaseNewsListener } from "./case-queries.ts";
import type { OwnDuty } from "./contract.ts";
import { fetchDuty, fetchLiveCalls, fetchSigned, isSignedOut, setDuty } from "./desk-api.ts";
import { changeDesk, type DeskChange, type DeskState, EMPTY_DESK } from "./desk-state.ts";
import { refusalWords } from "./refusal-words.ts";
import { watchDesk } from "./watch-desk.ts";

const READ_AGAIN_AFTER_MS = 2000;

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
  const [onDuty, setOnDuty] = useState<boolean | null>(null);
  const [changing, setChanging] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  /** What was chosen on this page: a server that was away has forgotten it. */
  const chosen = useRef<boolean | null>(null);
  const leave = useRef(signedOut);
  leave.current = signedOut;
  const caseNews = useRef(cases);
  caseNews.current = cases;

  const take = useCallback((told: OwnDuty) => {
    setOnDuty(told.onDuty);
    dispatch({ type: "duty", ...told });
  }, []);

  useEffect(() => {
    const readDuty = async () => {
      if (!takesShifts) return;
      const told = await fetchDuty();
      const lost = chosen.current === true && !told.onDuty;
      take(lost ? await setDuty(true) : told);
    };
    let ended = false;
    let connectedBefore = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    /** What a desk needs beside its events. Asked for until it is there. */
    const readAll = () => {
      const reading = Promise.all([
        fetchLiveCalls().then(({ calls }) => dispatch({ type: "calls-read", calls })),
        readDuty(),
      ]);
      reading.catch((error: unknown) => {
        if (isSignedOut(error)) leave.current();
        else if (!ended) again = setTimeout(readAll, READ_AGAIN_AFTER_MS);
      });
    };
    const end = watchDesk({
      connected: () => {
        dispatch({ type: "connected" });
        if (connectedBefore) caseNews.current.heardAgain();
        connectedBefore = true;
        clearTimeout(again);
        readAll();
      },
      lost: () => {
        clearTimeout(again);
        dispatch({ type: "connection-lost" });
      },
      told: (news) => {
        if (news.type === "case") caseNews.current.told(news.callId);
        else if (news.type === "duty") take(news);
        else dispatch(news);
      },
      isStillSignedIn: async () => {
        try {
          await fetchSigned();
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
      clearTimeout(again);
      end();
    };
  }, [takesShifts, take]);

  const set = async (wanted: boolean) => {
    setChanging(true);
    setTrouble(null);
    try {
      const told = await setDuty(wanted);
      chosen.current = told.onDuty;
      take(told);
    } catch (error) {
      if (isSignedOut(error)) leave.current();
      setTrouble(refusalWords(error));
    } finally {
      setChanging(false);
    }
  };
  return { state, dispatch, duty: { onDuty, wrapUpUntil: state.wrapUpUntil, changing, trouble, set } };
}
