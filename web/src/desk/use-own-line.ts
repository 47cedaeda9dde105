/** The one line that this page holds: a call that was taken, listened to or coached in. */
import { useEffect, useRef, useState } from "react";
import type { NodeName } from "./contract.ts";
import { actOnCall, type CallAct, isNotOnCall, leaveSoon } from "./desk-api.ts";
import { lineTroubleWords } from "./line-words.ts";
import { BROWSER_LINE, type LineParts, OfficerLine, type Way } from "./officer-line.ts";
import { refusalWords } from "./refusal-words.ts";

export interface OwnLine {
  callId: string;
  agency: string | null;
  way: Way;
  /**
   * `accepting`: the server is asked for the call. `joining`: its line is made. `on`: it stands.
   * `gone`: it is lost, or was taken away. `given-back`: before one was put through. `over`: the call has ended. `failed`: there was none.
   */
  stage: "accepting" | "joining" | "on" | "gone" | "given-back" | "over" | "failed";
  muted: boolean;
  /** What went wrong last, in words. */
  trouble: string | null;
}

/** A call, and the node that has it. */
export interface CallAtNode {
  callId: string;
  agency: string | null;
  node: NodeName;
}

export interface OwnLineActs {
  accept(call: CallAtNode): Promise<void>;
  listen(call: CallAtNode): Promise<void>;
  coach(call: CallAtNode): Promise<void>;
  takeOver(): Promise<void>;
  /** The assistant has the caller meanwhile; colleagues on the call hear one. */
  hold(): Promise<void>;
  takeBack(): Promise<void>;
  ready(): Promise<void>;
  /** Ends the call for the caller, unless a colleague talks with them as well, or lets a briefing be. */
  leave(to: "over" | "given-back"): Promise<void>;
  stopListening(): void;
  mute(muted: boolean): void;
  levels(): { own: number; others: number };
  putAway(): void;
}

export function useOwnLine(
  answered: (callId: string) => void,
  parts: LineParts = BROWSER_LINE,
): [OwnLine | null, OwnLineActs] {
  const [own, setOwn] = useState<OwnLine | null>(null);
  const line = useRef<OfficerLine | null>(null);

  useEffect(() => () => line.current?.close(), []);

  const begin = ({ callId, agency, node }: CallAtNode, way: Way, stage: OwnLine["stage"]) => {
    line.current?.close();
    const begun: OfficerLine = new OfficerLine(
      callId,
      way,
      {
        gone: () => change(begun, { stage: "gone" }),
        callEnded: () => change(begun, { stage: "over" }),
      },
      parts,
      node,
    );
    line.current = begun;
    setOwn({ callId, agency, way, stage, muted: false, trouble: null });
    return begun;
  };

  /** What is told of a line that another has followed is not shown. */
  const change = (of: OfficerLine, to: Partial<OwnLine>) => {
    if (line.current === of) setOwn((shown) => shown && { ...shown, ...to });
  };

  /** The call goes on without this line, or is over. */
  const letGo = (held: OfficerLine) => {
    held.close();
    change(held, { stage: "gone", trouble: null });
  };

  const comeOn = async (begun: OfficerLine, prepared: Promise<void>) => {
    try {
      await prepared;
      await begun.join();
      change(begun, { stage: "on" });
    } catch (error) {
      begun.close();
      change(begun, { stage: "failed", trouble: lineTroubleWords(error) });
    }
  };

  const join = async (call: CallAtNode, way: Way) => {
    const begun = begin(call, way, "joining");
    await comeOn(begun, begun.prepare());
  };

  const ask = async (act: CallAct) => {
    const held = line.current;
    if (!held) return;
    try {
      await actOnCall(held.callId, act, held.node);
      change(held, { trouble: null });
    } catch (error) {
      change(held, { trouble: refusalWords(error) });
    }
  };

  const acts: OwnLineActs = {
    accept: async (call) => {
      const { callId, node } = call;
      const begun = begin(call, "line", "accepting");
      const prepared = begun.prepare();
      // Looked at below, once the call is ours.
      prepared.catch(() => {});
      try {
        await actOnCall(callId, "accept", node);
      } catch (error) {
        begun.close();
        answered(callId);
        change(begun, { stage: "failed", trouble: refusalWords(error) });
        return;
      }
      answered(callId);
      change(begun, { stage: "joining" });
      await comeOn(begun, prepared);
    },
    listen: (call) => join(call, "listening"),
    coach: (call) => join(call, "coaching"),
    takeOver: async () => {
      const held = line.current;
      if (!held) return;
      try {
        // First the voice: the caller is told that somebody is there.
        await held.speak();
        held.muted = false;
        await actOnCall(held.callId, "take-over", held.node);
        change(held, { way: "line", muted: false, trouble: null });
      } catch (error) {
        if (isNotOnCall(error)) letGo(held);
        else change(held, { trouble: lineTroubleWords(error) });
      }
    },
    hold: () => ask("hold"),
    takeBack: () => ask("take-back"),
    ready: () => ask("ready"),
    leave: async (to) => {
      const held = line.current;
      if (!held) return;
      try {
        await actOnCall(held.callId, "leave", held.node);
        held.close();
        change(held, { stage: to, trouble: null });
      } catch (error) {
        // Otherwise not closed: the call would go on without its officer, who believes that it has ended.
        if (isNotOnCall(error)) letGo(held);
        else change(held, { trouble: refusalWords(error) });
      }
    },
    stopListening: () => {
      const held = line.current;
      line.current = null;
      setOwn(null);
      if (!held) return;
      // Said first, so that its end is on the record: who is off the line has nothing to leave. It ends also where that cannot be said.
      leaveSoon(held.callId, held.node)
        .catch(() => {})
        .finally(() => held.close());
    },
    mute: (muted) => {
      const held = line.current;
      if (!held) return;
      held.muted = muted;
      change(held, { muted });
    },
    levels: () => line.current?.levels() ?? { own: 0, others: 0 },
    putAway: () => {
      line.current?.close();
      line.current = null;
      setOwn(null);
    },
  };
  return [own, acts];
}

/** Whether it stands or is being made. */
export function isHeld(own: OwnLine | null): own is OwnLine {
  return own !== null && (own.stage === "accepting" || own.stage === "joining" || own.stage === "on");
}
