/** One case: how it stands, its note, what was done and is to be done, what was said, and who did what. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import type { CaseInside } from "../../../desk/case-contract.ts";
import { caseKey, readCase } from "../../../desk/case-queries.ts";
import { deletionWords, escalationWords, KINDS, stateWords, waitedWords } from "../../../desk/case-words.ts";
import { caseFragment } from "../../../desk/desk-address.ts";
import { agencyName } from "../../../desk/desk-words.ts";
import { refusalWords } from "../../../desk/refusal-words.ts";
import { useMinute } from "../../../desk/use-clock.ts";
import { type Evidence, type Place, placeOf } from "../../../records/evidence.ts";
import { formatDate, formatDuration } from "../../../records/format.ts";
import { HoldIcon } from "../desk-icons.tsx";
import { PLAIN } from "../desk-style.ts";
import { Trouble } from "../Trouble.tsx";
import { ActionTakenPart } from "./ActionTakenPart.tsx";
import { CallerPart } from "./CallerPart.tsx";
import { CaseActs } from "./CaseActs.tsx";
import { CaseNotePart, MachineVersion } from "./CaseNotePart.tsx";
import { CasePills } from "./CasePills.tsx";
import { CaseTimeline } from "./CaseTimeline.tsx";
import { CaseTranscript } from "./CaseTranscript.tsx";
import { FollowUpsPart } from "./FollowUpsPart.tsx";

export function CaseView({ callId }: { callId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: caseKey(callId),
    queryFn: () => readCase(callId),
    // Each reading stands on the audit trail: it is read again when it is told to stand otherwise.
    staleTime: Number.POSITIVE_INFINITY,
    // Nothing of a case that is not open stays in the page.
    gcTime: 0,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  const isThere = data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus goes to a case when it is there
  useEffect(() => heading.current?.focus(), [callId, isThere]);

  return (
    <article aria-labelledby="case" className="grid content-start gap-5">
      <a href={caseFragment(null)} className="quiet-link justify-self-start lg:hidden print:hidden">
        Back to the cases
      </a>
      {data ? (
        <Case inside={data} heading={heading} trouble={error ? refusalWords(error) : null} />
      ) : (
        <>
          <h2 id="case" ref={heading} tabIndex={-1} className="text-title font-bold outline-none">
            {error ? "This case cannot be shown" : "A case"}
          </h2>
          <Trouble words={error ? refusalWords(error) : null} className="empty:hidden" />
          {error ? (
            <button type="button" className={`${PLAIN} justify-self-start`} onClick={() => void refetch()}>
              Try again
            </button>
          ) : (
            <p role="status" className="text-quiet">
              Reading the case
            </p>
          )}
        </>
      )}
    </article>
  );
}

interface CaseProps {
  inside: CaseInside;
  heading: React.RefObject<HTMLHeadingElement | null>;
  trouble: string | null;
}

function Case({ inside, heading, trouble }: CaseProps) {
  const { case: of, messages, timeline, hold } = inside;
  const [place, setPlace] = useState<Place | null>(null);
  const [editing, setEditing] = useState(false);
  const said = useMemo(
    () => messages.map(({ speaker, text }) => ({ role: ROLES[speaker], message: text })),
    [messages],
  );
  const evidence = useMemo(() => inside.evidence.map(toEvidence), [inside.evidence]);

  return (
    <>
      <Head inside={inside} heading={heading} />
      <Trouble words={trouble} className="empty:hidden" />
      {hold && (
        <p className="flex gap-3 rounded-control bg-raised px-4 py-2.5">
          <HoldIcon className="mt-1 size-5" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            Held by {hold.by.name} since {formatDate(hold.at)}: <span dir="auto">{hold.reason}</span>
          </span>
        </p>
      )}
      <CaseActs inside={inside} />
      <div className="grid items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,6fr)_minmax(0,5fr)]">
        <div className="grid gap-8">
          <CaseNotePart
            inside={inside}
            evidence={evidence}
            onShow={(each) => setPlace(placeOf(each, said))}
            editing={editing}
            onEditing={setEditing}
          />
          <ActionTakenPart inside={inside} />
          <FollowUpsPart inside={inside} />
        </div>
        <div className="grid gap-8">
          <div className="hidden empty:hidden xl:block">
            <MachineVersion inside={inside} editing={editing} />
          </div>
          <CallerPart inside={inside} />
          <CaseTranscript messages={messages} place={place} elsewhere={of.kind === "elsewhere"} />
          <CaseTimeline timeline={timeline} />
        </div>
      </div>
    </>
  );
}

function Head({ inside: { case: of }, heading }: Pick<CaseProps, "inside" | "heading">) {
  const now = useMinute();
  return (
    <header className="grid gap-1.5">
      <h2 id="case" ref={heading} tabIndex={-1} className="text-title font-bold outline-none" dir="auto">
        {of.title}
      </h2>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <CasePills of={of} now={now} />
        <span className="font-semibold">{stateWords(of)}</span>
        <span className="text-quiet">
          {of.state === "closed" ? formatDate(of.since) : waitedWords(of.since, now)}
        </span>
      </p>
      <p className="text-quiet">
        {agencyName(of.agency)}. {KINDS[of.kind]} of{" "}
        <span className="tabular-nums">
          {formatDate(of.startedAt)}, {formatDuration(of.durationSeconds)}
        </span>
        .
      </p>
      {of.escalated && of.state !== "closed" && <p>{escalationWords(of)}</p>}
      <p className="text-sm text-quiet">{deletionWords(of)}</p>
    </header>
  );
}

const ROLES = { caller: "user", assistant: "bot", officer: "officer" } as const;

function toEvidence({ claim, words, messageIndex, escalates }: CaseInside["evidence"][number]): Evidence {
  return { claim, words, message: messageIndex, raisedFlag: escalates };
}
