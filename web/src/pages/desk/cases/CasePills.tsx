/** What stands out about a case, each told by word, shape and colour. */

import type { CaseSummary } from "../../../desk/case-contract.ts";
import { escalationWords } from "../../../desk/case-words.ts";
import { AlertIcon } from "../../../ui/icons.tsx";
import { Pill } from "../../../ui/Pill.tsx";
import { ClockIcon, HoldIcon, RaisedIcon } from "../desk-icons.tsx";

export function CasePills({ of, now }: { of: CaseSummary; now: number }) {
  const { urgent, escalated, held, state, nextDueAt } = of;
  const isOverdue = nextDueAt !== null && Date.parse(nextDueAt) < now;
  return (
    <>
      {urgent && (
        <Pill tone="urgent" icon={<AlertIcon className="size-4" />}>
          Urgent
        </Pill>
      )}
      {escalated && state !== "closed" && (
        <Pill tone="lamp" icon={<RaisedIcon className="size-4" />}>
          <span title={escalationWords(of)}>Escalated</span>
        </Pill>
      )}
      {isOverdue && (
        <Pill tone="lamp" icon={<ClockIcon className="size-4" />}>
          Follow-up overdue
        </Pill>
      )}
      {held && <Pill icon={<HoldIcon className="size-4" />}>Held</Pill>}
    </>
  );
}
