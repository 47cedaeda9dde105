/** A call that was taken elsewhere, by telephone or at a counter, entered by hand. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { enterCase } from "../../../desk/case-api.ts";
import type { CaseNote } from "../../../desk/case-contract.ts";
import { CASES } from "../../../desk/case-queries.ts";
import { EMPTY_FACTS } from "../../../desk/case-words.ts";
import { caseFragment } from "../../../desk/desk-address.ts";
import { same } from "../../../desk/draft.ts";
import { refusalWords } from "../../../desk/refusal-words.ts";
import { fieldOf, momentOf } from "../../../desk/singapore-days.ts";
import { useUnsaved } from "../../../desk/unsaved-words.ts";
import { Button } from "../../../ui/Button.tsx";
import { PLAIN, STRONG } from "../desk-style.ts";
import { Field } from "../Field.tsx";
import { Trouble } from "../Trouble.tsx";
import { NoteFields } from "./NoteFields.tsx";

const EMPTY: CaseNote = { summaryTitle: "", summary: "", structuredData: EMPTY_FACTS };

export function EnterCase({ onEntered }: { onEntered: (callId: string) => void }) {
  const client = useQueryClient();
  const [note, setNote] = useState(EMPTY);
  const [began, setBegan] = useState("");
  const [minutes, setMinutes] = useState("");
  const [number, setNumber] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const entering = useMutation({
    mutationFn: enterCase,
    onSuccess: ({ callId }) => {
      void client.invalidateQueries({ queryKey: CASES });
      onEntered(callId);
    },
  });
  useUnsaved(!entering.isSuccess && !same([note, began, minutes, number], [EMPTY, "", "", ""]));
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    const startedAt = momentOf(began);
    if (entering.isPending || !startedAt) return;
    const callerNumber = number.trim();
    entering.mutate({
      startedAt,
      durationMinutes: Number(minutes),
      ...note,
      ...(callerNumber && { callerNumber }),
    });
  };

  return (
    <article aria-labelledby="case" className="grid content-start gap-5">
      <a href={caseFragment(null)} className="quiet-link justify-self-start lg:hidden">
        Back to the cases
      </a>
      <div>
        <h2 id="case" ref={heading} tabIndex={-1} className="text-title font-bold outline-none">
          Enter a call taken elsewhere
        </h2>
        <p className="text-quiet">By telephone, at a counter, or while the line was down.</p>
      </div>
      <form onSubmit={submitted} aria-labelledby="case" className="@container grid max-w-3xl gap-4">
        <div className="grid gap-4 @md:grid-cols-3">
          <Field
            label="It began"
            type="datetime-local"
            max={fieldOf(Date.now())}
            value={began}
            onChange={({ target }) => setBegan(target.value)}
            required
          />
          <Field
            label="Minutes"
            type="number"
            inputMode="numeric"
            min={1}
            max={1440}
            value={minutes}
            onChange={({ target }) => setMinutes(target.value)}
            required
          />
          <Field
            label="Caller’s number"
            type="tel"
            value={number}
            onChange={({ target }) => setNumber(target.value)}
            autoComplete="off"
          />
        </div>
        <NoteFields note={note} onChange={setNote} />
        <Trouble words={entering.error ? refusalWords(entering.error) : null} className="empty:hidden" />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" unavailable={entering.isPending} className={STRONG}>
            Enter the call
          </Button>
          <a href={caseFragment(null)} className={PLAIN}>
            Cancel
          </a>
        </div>
      </form>
    </article>
  );
}
