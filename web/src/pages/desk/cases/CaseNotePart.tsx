/** A case's note as the officer keeps it, with the assistant's own version beside it. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import { saveNote } from "../../../desk/case-api.ts";
import type { CaseInside, CaseNote } from "../../../desk/case-contract.ts";
import { agencyName } from "../../../desk/desk-words.ts";
import { same } from "../../../desk/draft.ts";
import { useCaseDraft } from "../../../desk/use-draft.ts";
import { NOT_APPLICABLE } from "../../../records/call-record.ts";
import { dividedEvidence, type Evidence } from "../../../records/evidence.ts";
import { formatDate } from "../../../records/format.ts";
import { AlertIcon } from "../../../ui/icons.tsx";
import { EvidenceList } from "../../demo/EvidenceList.tsx";
import { PLAIN } from "../desk-style.ts";
import { FollowUpAdvice, NoteWords } from "../NoteWords.tsx";
import { NoteFields } from "./NoteFields.tsx";
import { SaveBar } from "./SaveBar.tsx";

interface CaseNotePartProps {
  inside: CaseInside;
  evidence: readonly Evidence[];
  /** Shows a claim's words where they stand in the transcript. */
  onShow: (evidence: Evidence) => void;
}

export function CaseNotePart({ inside, evidence, onShow }: CaseNotePartProps) {
  const { note, machineNote, noteEdited, may } = inside;
  const [editing, setEditing] = useState(false);
  const editor = useRef<HTMLButtonElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (editing) form.current?.querySelector("input")?.focus();
    else if (wasEditing.current) editor.current?.focus();
    wasEditing.current = editing;
  }, [editing]);
  const draft = useCaseDraft<CaseNote>({
    inside,
    of: (now) => now.note,
    send: saveNote,
    put: (now, mine) => ({ ...now, note: mine }),
  });
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (draft.standing === "edited" && !draft.saving && (await draft.save())) setEditing(false);
  };
  const differs = machineNote !== null && !same(machineNote, note);

  return (
    <section aria-labelledby="case-note" className="@container grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id="case-note" className="text-lg font-bold">
          Note
        </h3>
        <p className="text-sm text-quiet">
          {noteEdited
            ? `Edited by ${noteEdited.by.name} on ${formatDate(noteEdited.at)}`
            : machineNote
              ? "Written by the assistant. Check it with what was said."
              : ""}
        </p>
      </div>
      {editing ? (
        <div className="grid items-start gap-5 @3xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <form ref={form} onSubmit={save} aria-label="Edit the note" className="@container grid gap-4">
            <NoteFields note={draft.value} onChange={draft.change} />
            <SaveBar
              draft={draft}
              save="Save the note"
              theirs={<WholeNote note={draft.kept} />}
              onCancel={() => setEditing(false)}
            />
          </form>
          {machineNote && <MachineVersion note={machineNote} />}
        </div>
      ) : (
        <>
          <div className={`grid items-start gap-5 ${differs ? "@3xl:grid-cols-2" : ""}`}>
            <div className="grid gap-3">
              <WholeNote note={note} />
            </div>
            {differs && (
              <details className="desk-fold @3xl:hidden">
                <summary>The assistant’s version</summary>
                <MachineVersion note={machineNote} />
              </details>
            )}
            {differs && (
              <div className="hidden @3xl:block">
                <MachineVersion note={machineNote} />
              </div>
            )}
          </div>
          {may.edit && (
            <button
              ref={editor}
              type="button"
              className={`${PLAIN} justify-self-start`}
              onClick={() => setEditing(true)}
            >
              Edit the note
            </button>
          )}
        </>
      )}
      <EvidenceParts evidence={evidence} urgent={inside.case.urgent} onShow={onShow} />
    </section>
  );
}

function WholeNote({ note }: { note: CaseNote }) {
  const { urgent, transfer_to, transferred, follow_up } = note.structuredData;
  const isBrought = transfer_to !== "" && transfer_to !== NOT_APPLICABLE;
  return (
    <>
      <p dir="auto" className="font-serif text-caption leading-snug font-medium [overflow-wrap:anywhere]">
        {note.summaryTitle}
      </p>
      <NoteWords
        note={note}
        unknown="Not known"
        more={[
          ["Urgent", urgent ? "Yes" : "No"],
          ["Agency", isBrought ? agencyName(transfer_to) : "None"],
          ["Handed over", isBrought ? (transferred ? "Yes" : "No") : "Not applicable"],
        ]}
      />
      <FollowUpAdvice followUp={follow_up} />
    </>
  );
}

function MachineVersion({ note }: { note: CaseNote }) {
  return (
    <section aria-label="The assistant’s version" className="grid gap-3 rounded-control bg-raised px-4 py-3">
      <p className="text-sm font-semibold text-quiet">The assistant’s version, kept as it was written</p>
      <WholeNote note={note} />
    </section>
  );
}

interface EvidencePartsProps {
  evidence: readonly Evidence[];
  urgent: boolean;
  onShow: (evidence: Evidence) => void;
}

function EvidenceParts({ evidence, urgent, onShow }: EvidencePartsProps) {
  if (evidence.length === 0) return null;
  const { triggers, rest } = dividedEvidence(evidence, urgent);
  return (
    <>
      {triggers.length > 0 && (
        <section
          aria-labelledby="case-triggers"
          className="rounded-control bg-urgent-surface px-4 py-2.5 text-urgent"
        >
          <h4 id="case-triggers" className="flex items-center gap-2 font-semibold">
            <AlertIcon className="size-5" />
            Words that raised the flag
          </h4>
          <EvidenceList evidence={triggers} onShow={onShow} />
        </section>
      )}
      {rest.length > 0 && (
        <section aria-labelledby="case-evidence">
          <h4 id="case-evidence" className="font-bold">
            The caller’s words behind this note
          </h4>
          <EvidenceList evidence={rest} onShow={onShow} />
        </section>
      )}
    </>
  );
}
