/** What a case note says, below its title: the summary, how its agency was chosen, the facts; and its advice. */
import type { ReactNode } from "react";
import { FACT_NAMES, factWords } from "../../desk/case-words.ts";
import type { DeskNote } from "../../desk/contract.ts";
import { routingNote } from "../../records/agencies.ts";
import { followUpPoints } from "../../records/format.ts";

interface NoteWordsProps {
  note: DeskNote;
  /** What stands for a fact that nobody told. */
  unknown: string;
  more?: readonly (readonly [name: string, value: ReactNode])[];
}

export function NoteWords({ note: { summary, structuredData: facts }, unknown, more = [] }: NoteWordsProps) {
  const routing = routingNote(facts.transfer_to);
  const rows = [
    ...more,
    ...FACT_NAMES.map(([fact, name]) => [name, factWords(facts[fact], unknown)] as const),
  ];
  return (
    <>
      <p dir="auto" className="max-w-[68ch] [overflow-wrap:anywhere]">
        {summary}
      </p>
      {routing && <p className="max-w-[60ch] text-sm text-quiet">{routing}</p>}
      <dl className="mt-1 grid grid-cols-[8.5rem_1fr] gap-x-4 gap-y-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-sm leading-[1.9] text-quiet">{name}</dt>
            <dd dir="auto" className="[overflow-wrap:anywhere]">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

export function FollowUpAdvice({ followUp }: { followUp: string | null | undefined }) {
  const points = followUpPoints(followUp ?? "");
  if (points.length === 0) return null;
  return (
    <div>
      <h4 className="font-bold">Recommended follow-up</h4>
      <ul className="mt-1 max-w-[68ch] list-disc pl-5 marker:text-lamp-ink">
        {points.map((point, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: points have no identity, and may repeat
          <li key={i} dir="auto" className="[overflow-wrap:anywhere]">
            {point}
          </li>
        ))}
      </ul>
    </div>
  );
}
