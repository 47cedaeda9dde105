/** What was done in a case: of its agency's list, and in words. Without it no case can be closed. */
import type { FormEvent } from "react";
import { saveActionTaken } from "../../../desk/case-api.ts";
import type { CaseInside, TakenAction } from "../../../desk/case-contract.ts";
import { useCaseDraft } from "../../../desk/use-draft.ts";
import { formatDate } from "../../../records/format.ts";
import { TickField } from "../TickField.tsx";
import { WordsField } from "../WordsField.tsx";
import { SaveBar } from "./SaveBar.tsx";

interface Taken {
  actions: readonly string[];
  words: string;
}

const takenIn = ({ actionTaken }: CaseInside): Taken => ({
  // In one order, so that the same ticks are the same action taken.
  actions: actionTaken?.actions.toSorted() ?? [],
  words: actionTaken?.words ?? "",
});

/** Until it is read again; nothing at all is no action taken. */
function takenNow({ actionTaken }: CaseInside, { actions, words }: Taken): TakenAction | null {
  if (actions.length === 0 && words.trim() === "") return null;
  const by = actionTaken?.by ?? { id: "", name: "you" };
  return { actions: [...actions], words, by, at: new Date().toISOString() };
}

export function ActionTakenPart({ inside }: { inside: CaseInside }) {
  const { actions, actionTaken, may } = inside;
  const draft = useCaseDraft<Taken>({
    inside,
    of: takenIn,
    send: saveActionTaken,
    put: (now, value) => ({ ...now, actionTaken: takenNow(now, value) }),
  });
  const { value, change } = draft;
  const tick = (code: string, done: boolean) => {
    const others = value.actions.filter((each) => each !== code);
    change({ ...value, actions: done ? [...others, code].toSorted() : others });
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (draft.standing === "edited" && !draft.saving) void draft.save();
  };

  return (
    <section aria-labelledby="case-action" className="grid gap-2">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id="case-action" tabIndex={-1} className="text-lg font-bold outline-none">
          Action taken
        </h3>
        <p className="text-sm text-quiet">
          {actionTaken
            ? `By ${actionTaken.by.name} on ${formatDate(actionTaken.at)}`
            : "A case is closed once it says what was done."}
        </p>
      </div>
      {may.edit ? (
        <form onSubmit={save} aria-labelledby="case-action" className="@container grid gap-3">
          {actions.length > 0 && (
            <fieldset className="grid gap-x-6 @lg:grid-cols-2">
              <legend className="sr-only">What was done</legend>
              {actions.map(({ code, label }) => (
                <TickField
                  key={code}
                  checked={value.actions.includes(code)}
                  onChange={({ target }) => tick(code, target.checked)}
                >
                  {label}
                </TickField>
              ))}
            </fieldset>
          )}
          <WordsField
            label="In words"
            rows={2}
            value={value.words}
            onChange={({ target }) => change({ ...value, words: target.value })}
          />
          <SaveBar
            draft={draft}
            save="Save the action taken"
            theirs={<TakenWords taken={draft.kept} actions={actions} />}
          />
        </form>
      ) : actionTaken ? (
        <TakenWords taken={actionTaken} actions={actions} />
      ) : (
        <p className="text-quiet">Nothing yet.</p>
      )}
    </section>
  );
}

function TakenWords({ taken, actions }: { taken: Taken; actions: CaseInside["actions"] }) {
  const labels = taken.actions.map((code) => actions.find((each) => each.code === code)?.label ?? code);
  return (
    <>
      {labels.length > 0 && (
        <ul className="list-disc pl-5 marker:text-lamp-ink">
          {labels.map((label) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      )}
      {taken.words && (
        <p dir="auto" className="whitespace-pre-line [overflow-wrap:anywhere]">
          {taken.words}
        </p>
      )}
      {labels.length === 0 && !taken.words && <p>Nothing.</p>}
    </>
  );
}
