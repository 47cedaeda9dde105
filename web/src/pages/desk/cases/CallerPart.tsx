/** Who called, as far as they said: the number they gave, and their earlier cases under the same one. */
import { type FormEvent, useState } from "react";
import { saveCallerNumber } from "../../../desk/case-api.ts";
import type { CaseInside, CaseSummary } from "../../../desk/case-contract.ts";
import { numberWords, stateWords } from "../../../desk/case-words.ts";
import { caseFragment } from "../../../desk/desk-address.ts";
import { useCaseDraft } from "../../../desk/use-draft.ts";
import { formatDate } from "../../../records/format.ts";
import { AlertIcon } from "../../../ui/icons.tsx";
import { PLAIN } from "../desk-style.ts";
import { Field } from "../Field.tsx";
import { SaveBar } from "./SaveBar.tsx";

export function CallerPart({ inside }: { inside: CaseInside }) {
  const { callerNumber, earlier, may } = inside;
  const [editing, setEditing] = useState(false);
  const draft = useCaseDraft<string>({
    inside,
    of: (now) => now.callerNumber ?? "",
    send: (id, version, number) => saveCallerNumber(id, version, number.trim() || null),
    put: (now, number) => ({ ...now, callerNumber: number.trim() || null }),
  });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (draft.standing === "edited" && !draft.saving && (await draft.save())) setEditing(false);
  };

  return (
    <section aria-labelledby="case-caller" className="grid gap-2">
      <h3 id="case-caller" className="text-lg font-bold">
        Caller
      </h3>
      {editing ? (
        <form onSubmit={save} aria-label="The caller’s number" className="grid gap-3">
          <Field
            label="Number that the caller gave"
            hint="Leave it empty where they gave none, or do not want it kept."
            type="tel"
            value={draft.value}
            onChange={({ target }) => draft.change(target.value)}
            autoComplete="off"
            autoFocus
          />
          <SaveBar
            draft={draft}
            save="Save the number"
            theirs={<p className="tabular-nums">{draft.kept || "No number"}</p>}
            onCancel={() => setEditing(false)}
          />
        </form>
      ) : (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {callerNumber ? (
            <p>
              <span className="text-sm text-quiet">Number</span>{" "}
              <a href={`tel:${callerNumber.replace(/[^\d+]/g, "")}`} className="quiet-link px-1 tabular-nums">
                {numberWords(callerNumber)}
              </a>
            </p>
          ) : (
            <p className="text-quiet">No number was given.</p>
          )}
          {may.edit && (
            <button type="button" className={PLAIN} onClick={() => setEditing(true)}>
              {callerNumber ? "Change the number" : "Add a number"}
            </button>
          )}
        </div>
      )}
      {earlier.length > 0 && (
        <>
          <h4 className="font-bold">Other cases under this number</h4>
          <ul
            aria-label="Other cases under this number"
            className="divide-y divide-line border-y border-line"
          >
            {earlier.map((each) => (
              <Earlier key={each.callId} of={each} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Earlier({ of }: { of: CaseSummary }) {
  return (
    <li>
      <a
        href={caseFragment(of.callId)}
        className="grid min-h-11 gap-x-4 py-1.5 no-underline hover:bg-raised sm:grid-cols-[9.5rem_minmax(0,1fr)] sm:items-baseline"
      >
        <span className="text-sm text-quiet tabular-nums">{formatDate(of.startedAt)}</span>
        <span>
          <span dir="auto" className="font-semibold underline underline-offset-4 [overflow-wrap:anywhere]">
            {of.title}
          </span>
          <span className="block text-sm text-quiet">
            {of.agency ?? "No agency"}, {stateWords(of)}
            {of.urgent && (
              <span className="ml-2 inline-flex items-center gap-1 font-semibold text-urgent">
                <AlertIcon className="size-4" />
                Urgent
              </span>
            )}
          </span>
        </span>
      </a>
    </li>
  );
}
