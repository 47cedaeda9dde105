/** What can be done with a case as a whole: take, give back, close, open again, hold. Each asks in its own place. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import {
  closeCase,
  giveCaseBack,
  holdCase,
  letCaseGo,
  reopenCase,
  takeCase,
} from "../../../desk/case-api.ts";
import type { CaseInside, Outcome } from "../../../desk/case-contract.ts";
import { readAgain } from "../../../desk/case-queries.ts";
import { deletionWords, OUTCOMES } from "../../../desk/case-words.ts";
import { refusalWords } from "../../../desk/refusal-words.ts";
import { useUnsaved, useUnsavedWords } from "../../../desk/unsaved-words.ts";
import { Button } from "../../../ui/Button.tsx";
import { Confirmed } from "../Confirmed.tsx";
import { PLAIN, STRONG } from "../desk-style.ts";
import { Field } from "../Field.tsx";
import { TickField } from "../TickField.tsx";
import { Trouble } from "../Trouble.tsx";
import { WordsField } from "../WordsField.tsx";

type Asking = "close" | "reopen" | "hold" | null;

export function CaseActs({ inside }: { inside: CaseInside }) {
  const { may, hold } = inside;
  const { callId: id, state, yours, takenBy } = inside.case;
  const client = useQueryClient();
  const [asking, setAsking] = useState<Asking>(null);
  const row = useRef<HTMLDivElement>(null);
  const acting = useMutation({
    mutationFn: (act: () => Promise<void>) => act(),
    onSuccess: () => setAsking(null),
    // Also where it was refused: then it stands otherwise than the page thinks.
    onSettled: () => readAgain(client, id),
  });
  const act = (what: () => Promise<void>) => !acting.isPending && acting.mutate(what);
  const ask = (what: Asking) => {
    acting.reset();
    setAsking(what);
  };
  const cancel = () => {
    ask(null);
    row.current?.focus();
  };
  const take = () => act(() => takeCase(id));

  return (
    <div className="grid gap-3 print:hidden">
      <div ref={row} tabIndex={-1} className="flex flex-wrap gap-3 outline-none empty:hidden">
        {state === "waiting" && may.take && (
          <Button unavailable={acting.isPending} className={STRONG} onClick={take}>
            Take this case
          </Button>
        )}
        {state === "taken" && !yours && may.take && (
          <Confirmed
            label={`Take it from ${takenBy?.name ?? "a colleague"}`}
            question={`${takenBy?.name ?? "A colleague"} has this case. Take it all the same?`}
            yes="Take it"
            no="Leave it there"
            onYes={take}
            className={PLAIN}
          />
        )}
        {state !== "closed" && may.close && (
          <button
            type="button"
            aria-expanded={asking === "close"}
            className={yours ? STRONG : PLAIN}
            onClick={() => ask("close")}
          >
            Close the case
          </button>
        )}
        {state === "taken" && yours && (
          <Button
            unavailable={acting.isPending}
            className={PLAIN}
            onClick={() => act(() => giveCaseBack(id))}
          >
            Give it back
          </Button>
        )}
        {state === "closed" && may.reopen && (
          <button
            type="button"
            aria-expanded={asking === "reopen"}
            className={PLAIN}
            onClick={() => ask("reopen")}
          >
            Open it again
          </button>
        )}
        {may.hold && !hold && (
          <button
            type="button"
            aria-expanded={asking === "hold"}
            className={PLAIN}
            onClick={() => ask("hold")}
          >
            Hold
          </button>
        )}
        {may.hold && hold && (
          <Confirmed
            label="Let it go"
            question="Let it be deleted by itself when its time is over?"
            yes="Let it go"
            no="Keep the hold"
            onYes={() => act(() => letCaseGo(id))}
            className={PLAIN}
          />
        )}
      </div>
      {asking === null && (
        <Trouble words={acting.error ? refusalWords(acting.error) : null} className="empty:hidden" />
      )}
      {asking === "close" && (
        <CloseForm
          inside={inside}
          busy={acting.isPending}
          trouble={acting.error}
          onClose={(outcome, words) => act(() => closeCase(id, inside.version, outcome, words))}
          onCancel={cancel}
        />
      )}
      {asking === "reopen" && (
        <WhyForm
          title="Open the case again"
          label="Why is it opened again?"
          submit="Open it again"
          busy={acting.isPending}
          trouble={acting.error}
          onGiven={(why) => act(() => reopenCase(id, why))}
          onCancel={cancel}
        />
      )}
      {asking === "hold" && (
        <WhyForm
          title="Hold this case"
          label="Why must it be kept longer?"
          hint="While it is held, nothing of it is deleted by itself. The reason is shown to whoever reads the case."
          submit="Hold it"
          busy={acting.isPending}
          trouble={acting.error}
          onGiven={(reason) => act(() => holdCase(id, reason))}
          onCancel={cancel}
        />
      )}
    </div>
  );
}

const ASKED = "grid max-w-2xl gap-4 rounded-control border border-line-strong bg-raised px-4 py-4 sm:px-5";

interface CloseFormProps {
  inside: CaseInside;
  busy: boolean;
  trouble: Error | null;
  onClose: (outcome: Outcome, words: string) => void;
  onCancel: () => void;
}

function CloseForm({ inside, busy, trouble, onClose, onCancel }: CloseFormProps) {
  const unsaved = useUnsavedWords();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [words, setWords] = useState("");
  const [missing, setMissing] = useState<string | null>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useUnsaved(words !== "");
  useEffect(() => title.current?.focus(), []);
  const { actionTaken, followUps } = inside;
  const open = followUps.filter(({ done }) => done === null).length;

  const submitted = (event: FormEvent) => {
    event.preventDefault();
    if (!outcome) setMissing("Choose how it ended.");
    // One's own words for the closing are sent with it.
    else if (unsaved.any(words === "" ? 0 : 1))
      setMissing("Something in this case is typed and not saved. Save or drop it first.");
    else onClose(outcome, words.trim());
  };
  if (!actionTaken) {
    return (
      <div className={ASKED}>
        <h3 ref={title} tabIndex={-1} className="font-bold outline-none">
          Say first what was done
        </h3>
        <p>
          A case is closed once it says which action was taken: choose one of the list, or put it in words.
        </p>
        <div className="flex flex-wrap gap-3">
          <button type="button" className={STRONG} onClick={toActionTaken}>
            Go to action taken
          </button>
          <button type="button" className={PLAIN} onClick={onCancel}>
            Cancel
          </button>
        </div>
      </div>
    );
  }
  return (
    <form onSubmit={submitted} aria-labelledby="closing" className={ASKED}>
      <h3 id="closing" ref={title} tabIndex={-1} className="font-bold outline-none">
        Close the case
      </h3>
      <fieldset>
        <legend className="font-semibold">How did it end?</legend>
        {OUTCOMES.map(([code, name, means]) => (
          <TickField
            key={code}
            type="radio"
            name="outcome"
            value={code}
            checked={outcome === code}
            onChange={() => setOutcome(code)}
          >
            {name} <span className="text-sm text-quiet">{means}</span>
          </TickField>
        ))}
      </fieldset>
      <WordsField
        label="Anything the next reader should know"
        hint="Not required."
        rows={2}
        value={words}
        onChange={({ target }) => setWords(target.value)}
      />
      {open > 0 && (
        <p className="font-semibold">
          {open === 1 ? "One follow-up is" : `${open} follow-ups are`} still open. They stay with their
          owners.
        </p>
      )}
      <p className="text-sm text-quiet">
        {closingWords(inside, outcome)} Only a hold keeps it longer. A receipt without its content remains.
      </p>
      <Trouble words={missing ?? (trouble ? refusalWords(trouble) : null)} className="empty:hidden" />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" unavailable={busy} className={STRONG}>
          Close it
        </Button>
        <button type="button" className={PLAIN} onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** When it is deleted if it is closed now. */
function closingWords({ case: of, deletedIfClosed }: CaseInside, outcome: Outcome | null): string {
  if (of.held) return deletionWords(of);
  const told = outcome && deletedIfClosed[outcome];
  if (told) return deletionWords({ ...of, deletedAt: told });
  return "Each outcome has its time: choose one to read when the case is deleted.";
}

function toActionTaken(): void {
  const part = document.getElementById("case-action");
  part?.scrollIntoView({ block: "start" });
  part?.focus({ preventScroll: true });
}

interface WhyFormProps {
  title: string;
  label: string;
  hint?: string;
  submit: string;
  busy: boolean;
  trouble: Error | null;
  onGiven: (why: string) => void;
  onCancel: () => void;
}

function WhyForm({ title, label, hint, submit, busy, trouble, onGiven, onCancel }: WhyFormProps) {
  const [why, setWhy] = useState("");
  useUnsaved(why !== "");
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onGiven(why.trim());
  };
  return (
    <form onSubmit={submitted} aria-label={title} className={ASKED}>
      <Field
        label={label}
        hint={hint}
        dir="auto"
        value={why}
        onChange={({ target }) => setWhy(target.value)}
        autoComplete="off"
        required
        autoFocus
      />
      <Trouble words={trouble ? refusalWords(trouble) : null} className="empty:hidden" />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" unavailable={busy} className={STRONG}>
          {submit}
        </Button>
        <button type="button" className={PLAIN} onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
