/** A case's note as the officer keeps it, with the assistant's own version beside it. */
import { type FormEvent, useEffect, useRef } from "react";
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
  editing: boolean;
  onEditing: (editing: boolean) => void;
}

export function CaseNotePart({
  inside,
  evidence,
  onShow,
  editing,
  onEditing: setEditing,
}: CaseNotePartProps) {
  const { note, machineNote, noteEdited, may } = inside;
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
  return (
    <section aria-labelledby="case-note" className="grid gap-3">
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
        <form ref={form} onSubmit={save} aria-label="Edit the note" className="@container grid gap-4">
          <NoteFields note={draft.value} onChange={draft.change} />
          <SaveBar
            draft={draft}
            save="Save the note"
            theirs={<WholeNote note={draft.kept} titled />}
            onCancel={() => setEditing(false)}
          />
        </form>
      ) : (
        <>
          <WholeNote note={note} />
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
      <div className="xl:hidden">
        <MachineVersion inside={inside} editing={editing} />
      </div>
      <EvidenceParts evidence={evidence} urgent={inside.case.urgent} onShow={onShow} />
    </section>
  );
}

interface WholeNoteProps {
  note: CaseNote;
  /** Where its title is not the page's. */
  titled?: boolean;
}

function WholeNote({ note, titled = false }: WholeNoteProps) {
  const { urgent, transfer_to, transferred, follow_up } = note.structuredData;
  const isBrought = transfer_to !== NOT_APPLICABLE;
  return (
    <>
      {titled && (
        <p dir="auto" className="font-semibold [overflow-wrap:anywhere]">
          {note.summaryTitle}
        </p>
      )}
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

interface MachineVersionProps {
  inside: CaseInside;
  editing: boolean;
}

/** Beside the note: to be read against it while it is edited, and whenever it was. */
export function MachineVersion({ inside: { note, machineNote }, editing }: MachineVersionProps) {
  if (!machineNote || (!editing && same(machineNote, note))) return null;
  return (
    <details key={String(editing)} open={editing} className="desk-fold rounded-control bg-raised px-4 py-1">
      <summary>The assistant’s version, as it was written</summary>
      <div className="grid gap-3 pt-1 pb-3">
        <WholeNote note={machineNote} titled />
      </div>
    </details>
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
