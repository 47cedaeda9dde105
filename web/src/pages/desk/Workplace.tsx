/** The desk of officers and supervisors: what rings, one's own line, the live calls, and one of them. */
import { useCallback, useEffect, useMemo, useState } from "react";
import { flushSync } from "react-dom";
import type { CaseSummary } from "../../desk/case-contract.ts";
import { useCaseNews } from "../../desk/case-queries.ts";
import type { DeskCall, DeskCaption, Signed } from "../../desk/contract.ts";
import { actOnCall } from "../../desk/desk-api.ts";
import { ring as soundRing } from "../../desk/desk-sound.ts";
import { inOrder, type Ring, type Unreached } from "../../desk/desk-state.ts";
import type { LineParts, Way } from "../../desk/officer-line.ts";
import { type Alert, useAlerts } from "../../desk/use-alerts.ts";
import { useDesk } from "../../desk/use-desk.ts";
import { isHeld, useOwnLine } from "../../desk/use-own-line.ts";
import { useSteady } from "../../desk/use-steady.ts";
import { useEscalatedCases } from "../../desk/use-waiting-cases.ts";
import { CallView } from "./CallView.tsx";
import { DutyStrip } from "./DutyStrip.tsx";
import { PAGE, PLAIN } from "./desk-style.ts";
import { LiveCalls } from "./LiveCalls.tsx";
import { OwnLinePanel } from "./OwnLinePanel.tsx";
import { RingingCard } from "./RingingCard.tsx";
import { UnreachedCard } from "./UnreachedCard.tsx";

interface WorkplaceProps {
  signed: Signed;
  /** Whether its place is looked at; what rings, and one's own line, are there in every place. */
  inView: boolean;
  onSignedOut: () => void;
  /** Whether somebody talks on a line of this page, which must not be closed by accident. */
  onLine: (held: boolean) => void;
  parts?: LineParts;
}

export function Workplace({ signed: { account, may }, inView, onSignedOut, onLine, parts }: WorkplaceProps) {
  const can = (act: string) => (may[act] ?? "never") !== "never";
  const { state, dispatch, duty } = useDesk(can("take-shift"), onSignedOut, useCaseNews());
  const answered = useCallback((callId: string) => dispatch({ type: "answered", callId }), [dispatch]);
  const [own, acts] = useOwnLine(answered, parts);
  const [chosen, setChosen] = useState<string | null>(null);
  const [keys, setKeys] = useState(true);

  const held = isHeld(own);
  const ownCall = own ? state.calls.get(own.callId) : undefined;
  const shown = held ? own.callId : chosen;
  const calls = useMemo(() => inOrder(state.calls), [state.calls]);
  const heard = own !== null && isHeard(ownCall, state.captions.get(own.callId));
  // Nobody is rung while they talk; what came in that moment can wait for them to see it.
  const rings = held ? [] : state.ringing;
  const isRinging = rings.length > 0;

  useEffect(() => (isRinging ? soundRing() : undefined), [isRinging]);
  // One's own is told otherwise.
  const urgent = useMemo(
    () => (state.read ? calls.filter(isNews).map(urgentAlert) : null),
    [state.read, calls],
  );
  const unreached = useMemo(() => state.unreached.map(unreachedAlert), [state.unreached]);
  const cameBack = useEscalatedCases(can("see-queue"));
  const escalated = useMemo(() => cameBack?.map(escalatedAlert) ?? null, [cameBack]);
  const talks = held && own.way === "line";
  useAlerts(urgent, talks);
  useAlerts(unreached, talks);
  useAlerts(escalated, talks);
  useEffect(() => onLine(held), [held, onLine]);
  useEffect(() => {
    if (!held) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [held]);

  const show = (callId: string) => {
    setChosen(callId);
    // From a case, say, which stays as it is.
    if (!inView) window.location.hash = "desk";
  };
  const atNode = ({ callId, agency }: Ring | DeskCall) => ({
    callId,
    agency,
    node: state.at.get(callId) ?? null,
  });
  const accept = (ring: Ring) => {
    show(ring.callId);
    void acts.accept(atNode(ring));
  };
  const decline = (ring: Ring) => {
    const { callId, node } = atNode(ring);
    answered(callId);
    // It rings on elsewhere either way.
    actOnCall(callId, "decline", node).catch(() => {});
  };
  // A line that only listens may give way to another; one to a caller never does.
  const free = !held || own.way !== "line";
  const unless = <T,>(hindered: boolean, act: T) => (hindered ? undefined : act);
  const isOn = (way: Way) => held && own.way === way && own.callId === shown;
  const listen = useSteady((call: DeskCall) => void acts.listen(atNode(call)));
  const coach = useSteady((call: DeskCall) => void acts.coach(atNode(call)));
  const close = useSteady(() => {
    // At once: on a narrow screen the list is not there before.
    flushSync(() => setChosen(null));
    document.getElementById("live-calls")?.focus();
  });

  // Where nothing can be reached, that is told instead.
  const isPartMissed = state.missed.size > 0 && state.connection !== "lost";
  const hasNews =
    isRinging ||
    own !== null ||
    state.connection === "lost" ||
    isPartMissed ||
    state.taken !== null ||
    state.unreached.length > 0;

  return (
    <div
      className={`${PAGE} grid gap-5 ${inView ? "py-5" : hasNews ? ELSEWHERE : ""} ${!inView && isRinging ? IN_SIGHT : ""}`}
    >
      <h1 hidden={!inView} className="sr-only">
        Duty desk
      </h1>
      {isRinging && <title>A call is ringing – Duty desk</title>}
      {state.connection === "lost" && (
        <p role="alert" className="rounded-control bg-urgent-surface px-4 py-3 font-bold text-urgent">
          Not connected: calls do not ring here. Trying again.
        </p>
      )}
      {isPartMissed && (
        <p role="status" className="rounded-control bg-raised px-4 py-3">
          A part of the line cannot be reached at the moment. Calls there do not ring here; all others do. We
          keep trying.
        </p>
      )}
      {can("take-shift") && (
        <div hidden={!inView}>
          <DutyStrip
            connected={state.connection !== "lost"}
            duty={duty}
            agencies={account.agencies}
            keys={keys}
            onKeys={setKeys}
          />
        </div>
      )}
      <div aria-live="assertive" className="sr-only">
        {rings.map(({ callId, agency }) => (
          <p key={callId}>A call is ringing for {agency}.</p>
        ))}
      </div>
      {rings.map((ring, i) => (
        <RingingCard
          key={ring.callId}
          ring={ring}
          keys={keys && i === 0}
          onAccept={accept}
          onDecline={decline}
        />
      ))}
      {state.taken && (
        <div
          role="status"
          className="flex flex-wrap items-center justify-between gap-3 rounded-control bg-raised px-4 py-2"
        >
          <p>
            {state.taken.by} has taken the call for {state.taken.agency}.
          </p>
          <button type="button" className={PLAIN} onClick={() => dispatch({ type: "taken-put-away" })}>
            Put away
          </button>
        </div>
      )}
      {state.unreached.map((unreached) => (
        <UnreachedCard
          key={unreached.id}
          unreached={unreached}
          onShow={!held && state.calls.has(unreached.callId) ? () => show(unreached.callId) : undefined}
          onPutAway={() => dispatch({ type: "unreached-put-away", id: unreached.id })}
        />
      ))}
      {own && (
        <OwnLinePanel own={own} acts={acts} call={ownCall} heard={heard} mayTakeOver={can("take-over")} />
      )}
      <div hidden={!inView} className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[22rem_minmax(0,1fr)]">
        {/* On a narrow screen a chosen call stands in place of the list. */}
        <div className={shown ? "desk-behind" : ""}>
          <LiveCalls calls={calls} read={state.read} chosen={shown} onChoose={held ? ignore : setChosen} />
        </div>
        {shown ? (
          <CallView
            key={shown}
            callId={shown}
            call={state.calls.get(shown)}
            captions={state.captions.get(shown)}
            node={state.at.get(shown) ?? null}
            isLost={state.nodes.get(state.at.get(shown) ?? null) === "lost"}
            dispatch={dispatch}
            takesFocus={!held}
            onListen={unless(!can("listen-in") || !free || isOn("listening"), listen)}
            onCoach={unless(!can("whisper") || !free || isOn("coaching"), coach)}
            mayHint={can("whisper")}
            onClose={held ? undefined : close}
          />
        ) : (
          <p className="text-quiet max-lg:hidden">Choose a call to read its note and what is said.</p>
        )}
      </div>
    </div>
  );
}

const isNews = ({ urgent, yours }: DeskCall) => urgent && !yours;
const forAgency = (agency: string | null) => (agency === null ? "" : ` for ${agency}`);
const urgentAlert = ({ callId, agency }: DeskCall): Alert => ({
  id: `urgent ${callId}`,
  title: `An urgent call${forAgency(agency)}`,
});
const unreachedAlert = ({ id, callId, agency }: Unreached): Alert => ({
  id: `unreached ${callId} ${id}`,
  title: `Nobody was reached${forAgency(agency)}`,
});
const escalatedAlert = ({ callId, agency, returned }: CaseSummary): Alert => ({
  id: `escalated ${callId} ${returned}`,
  title: `A case${forAgency(agency)} came back untouched`,
});
/** Whether an officer has spoken since the caller could hear one, at first or after a hold. */
function isHeard(call: DeskCall | undefined, captions: readonly DeskCaption[] = []): boolean {
  const since = call ? (Date.parse(call.since) - Date.parse(call.startedAt)) / 1000 : 0;
  return captions.some(({ speaker, at }) => speaker === "officer" && at >= since);
}

/** What rings is in sight, however far down a case is being read. */
const ELSEWHERE = "pt-5 print:hidden";
const IN_SIGHT = "sticky top-0 z-20 low:static sm:top-16";

/** While one talks, the own call is the one on the screen. */
function ignore(): void {}
