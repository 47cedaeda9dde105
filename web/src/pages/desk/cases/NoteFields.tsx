/** A case note's fields, for a note that is edited and for a call that was taken elsewhere. */
import type { CaseFacts, CaseNote } from "../../../desk/case-contract.ts";
import { ABUSE_TYPES, FACT_NAMES } from "../../../desk/case-words.ts";
import { AGENCY_CODES, agencyName } from "../../../desk/desk-words.ts";
import { NOT_APPLICABLE } from "../../../records/call-record.ts";
import { ChoiceField } from "../ChoiceField.tsx";
import { Field } from "../Field.tsx";
import { TickField } from "../TickField.tsx";
import { WordsField } from "../WordsField.tsx";

const AGENCIES = [
  [NOT_APPLICABLE, "None"],
  ...AGENCY_CODES.map((code) => [code, `${code}, ${agencyName(code)}`] as const),
] as const;

/** With the one that is there, whatever it is. */
function kindsBeside(there: string): [string, string][] {
  const known: readonly string[] = ABUSE_TYPES;
  return [...(known.includes(there) ? [] : [there]), ...known].map((kind) => [kind, kind]);
}

interface NoteFieldsProps {
  note: CaseNote;
  onChange: (note: CaseNote) => void;
}

export function NoteFields({ note, onChange }: NoteFieldsProps) {
  const facts = note.structuredData;
  const setFact = (change: Partial<CaseFacts>) =>
    onChange({ ...note, structuredData: { ...facts, ...change } });
  return (
    <>
      <Field
        label="Title"
        dir="auto"
        value={note.summaryTitle}
        onChange={({ target }) => onChange({ ...note, summaryTitle: target.value })}
        autoComplete="off"
        required
      />
      <WordsField
        label="Summary"
        rows={5}
        value={note.summary}
        onChange={({ target }) => onChange({ ...note, summary: target.value })}
        required
      />
      <div className="grid gap-4 @md:grid-cols-2">
        {FACT_NAMES.map(([fact, name]) =>
          fact === "abuse_type" ? (
            <ChoiceField
              key={fact}
              label={name}
              choices={kindsBeside(facts.abuse_type)}
              value={facts.abuse_type}
              onChange={({ target }) => setFact({ abuse_type: target.value })}
            />
          ) : (
            <Field
              key={fact}
              label={name}
              dir="auto"
              value={facts[fact]}
              onChange={({ target }) => setFact({ [fact]: target.value })}
              autoComplete="off"
            />
          ),
        )}
      </div>
      <ChoiceField
        label="Agency"
        choices={AGENCIES}
        value={facts.transfer_to}
        onChange={({ target }) => setFact({ transfer_to: target.value as CaseFacts["transfer_to"] })}
      />
      <div className="flex flex-wrap gap-x-8">
        <TickField checked={facts.urgent} onChange={({ target }) => setFact({ urgent: target.checked })}>
          Urgent
        </TickField>
        <TickField
          checked={facts.transferred}
          onChange={({ target }) => setFact({ transferred: target.checked })}
        >
          The agency has the caller
        </TickField>
      </div>
      <WordsField
        label="Recommended follow-up"
        value={facts.follow_up}
        onChange={({ target }) => setFact({ follow_up: target.value })}
      />
    </>
  );
}
