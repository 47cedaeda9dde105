/** What is still to be done in a case: tasks and call-backs, each with a day, an owner, and whether it is done. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { addFollowUp, changeFollowUp, fetchColleagues } from "../../../desk/case-api.ts";
import type { CaseInside, FollowUp, FollowUpKind, NewFollowUp } from "../../../desk/case-contract.ts";
import { COLLEAGUES, readAgain } from "../../../desk/case-queries.ts";
import { dueWords, FOLLOW_UP_KINDS, isOverdue, within } from "../../../desk/case-words.ts";
import { refusalWords } from "../../../desk/refusal-words.ts";
import { fieldOf, momentOf } from "../../../desk/singapore-days.ts";
import { useUnsaved } from "../../../desk/unsaved-words.ts";
import { useMinute } from "../../../desk/use-clock.ts";
import { Button } from "../../../ui/Button.tsx";
import { CheckIcon, PhoneIcon } from "../../../ui/icons.tsx";
import { ChoiceField } from "../ChoiceField.tsx";
import { ClockIcon } from "../desk-icons.tsx";
import { PLAIN, STRONG } from "../desk-style.ts";
import { Field } from "../Field.tsx";
import { TickField } from "../TickField.tsx";
import { Trouble } from "../Trouble.tsx";

/** The form that is open: a new one, or one of those that are there. */
type Open = FollowUp | FollowUpKind | null;

export function FollowUpsPart({ inside }: { inside: CaseInside }) {
  const { followUps, may } = inside;
  const id = inside.case.callId;
  // What is still to be done is done after the case was closed, too.
  const mayDo = may.edit || may.reopen;
  const client = useQueryClient();
  const now = useMinute();
  const [open, setOpen] = useState<Open>(null);
  const settled = { onSuccess: () => readAgain(client, id) };
  const adding = useMutation({ mutationFn: (added: NewFollowUp) => addFollowUp(id, added), ...settled });
  const changing = useMutation({
    mutationFn: ({ of, to }: { of: FollowUp; to: Parameters<typeof changeFollowUp>[2] }) =>
      changeFollowUp(id, of.id, to),
    ...settled,
  });
  const trouble = adding.error ?? changing.error;
  const close = () => {
    adding.reset();
    changing.reset();
    setOpen(null);
  };

  return (
    <section aria-labelledby="case-follow-ups" className="@container grid gap-2">
      <h3 id="case-follow-ups" className="text-lg font-bold">
        Follow-ups
      </h3>
      {followUps.length === 0 && <p className="text-quiet">None yet.</p>}
      {followUps.length > 0 && (
        <ul aria-label="Follow-ups" className="divide-y divide-line border-y border-line">
          {followUps.map((each) => (
            <li key={each.id} className="grid gap-2 py-2.5">
              {typeof open === "object" && open?.id === each.id ? (
                <FollowUpForm
                  kind={each.kind}
                  of={each}
                  busy={changing.isPending}
                  trouble={trouble}
                  onSave={({ ownerId, words, dueAt }) =>
                    changing.mutate(
                      { of: each, to: { words, dueAt, ownerId: ownerId ?? null } },
                      { onSuccess: close },
                    )
                  }
                  onCancel={close}
                />
              ) : (
                <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
                  <div className="min-w-0 grow basis-56">
                    <p dir="auto" className="font-semibold [overflow-wrap:anywhere]">
                      {each.words}
                    </p>
                    <p
                      data-overdue={isOverdue(each, now)}
                      className="flex items-start gap-x-1.5 text-sm text-quiet tabular-nums data-[overdue=true]:font-semibold data-[overdue=true]:text-urgent"
                    >
                      <KindIcon of={each} />
                      <span>
                        {FOLLOW_UP_KINDS[each.kind]}, {within(dueWords(each, now))}
                      </span>
                    </p>
                    <p className="text-sm text-quiet">
                      {each.owner ? `Owner: ${each.owner.name}` : "Nobody owns it yet"}
                    </p>
                  </div>
                  {mayDo && (
                    <div className="flex flex-wrap gap-2">
                      <Button
                        unavailable={changing.isPending}
                        className={PLAIN}
                        aria-label={`${each.done ? "Not done after all" : "Done"}: ${each.words}`}
                        onClick={() => changing.mutate({ of: each, to: { done: each.done === null } })}
                      >
                        {each.done ? "Not done after all" : "Done"}
                      </Button>
                      {!each.done && (
                        <button
                          type="button"
                          className={PLAIN}
                          aria-label={`Change: ${each.words}`}
                          onClick={() => setOpen(each)}
                        >
                          Change
                        </button>
                      )}
                    </div>
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {open === null && <Trouble words={trouble ? refusalWords(trouble) : null} className="empty:hidden" />}
      {typeof open === "string" ? (
        <FollowUpForm
          key={open}
          kind={open}
          busy={adding.isPending}
          trouble={trouble}
          onSave={(added) => adding.mutate(added, { onSuccess: close })}
          onCancel={close}
        />
      ) : (
        may.edit && (
          <div className="flex flex-wrap gap-3">
            <button type="button" className={PLAIN} onClick={() => setOpen("task")}>
              Add a task
            </button>
            <button type="button" className={PLAIN} onClick={() => setOpen("call-back")}>
              Plan a call-back
            </button>
          </div>
        )
      )}
    </section>
  );
}

function KindIcon({ of: { kind, done } }: { of: FollowUp }) {
  if (done) return <CheckIcon className="mt-0.5 size-4" />;
  return kind === "call-back" ? (
    <PhoneIcon className="mt-0.5 size-4" />
  ) : (
    <ClockIcon className="mt-0.5 size-4" />
  );
}

interface FollowUpFormProps {
  kind: FollowUpKind;
  of?: FollowUp;
  busy: boolean;
  trouble: Error | null;
  onSave: (followUp: NewFollowUp) => void;
  onCancel: () => void;
}

const TITLES: Readonly<Record<FollowUpKind, string>> = {
  task: "A task",
  "call-back": "A call-back",
};

function FollowUpForm({ kind, of, busy, trouble, onSave, onCancel }: FollowUpFormProps) {
  const { data } = useQuery({ queryKey: COLLEAGUES, queryFn: fetchColleagues });
  const [words, setWords] = useState(of?.words ?? (kind === "call-back" ? "Ring the caller back" : ""));
  const [due, setDue] = useState(of ? fieldOf(of.dueAt) : "");
  const [owner, setOwner] = useState(of?.owner?.id ?? "");
  const [safe, setSafe] = useState(of !== undefined);
  useUnsaved(true);
  const known = data?.colleagues ?? [];
  const owners = [
    ["", "Nobody yet"],
    ...(of?.owner && !known.some(({ id }) => id === of.owner?.id) ? [[of.owner.id, of.owner.name]] : []),
    ...known.map(({ id, name }) => [id, name]),
  ] as [string, string][];
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    const dueAt = momentOf(due);
    if (busy || !dueAt) return;
    onSave({ kind, words: words.trim(), dueAt, ...(owner && { ownerId: owner }) });
  };
  return (
    <form
      onSubmit={submitted}
      aria-label={of ? `Change: ${of.words}` : TITLES[kind]}
      className="grid gap-3 rounded-control bg-raised px-4 py-3"
    >
      <Field
        label={kind === "call-back" ? "What is to be said or asked" : "What is to be done"}
        dir="auto"
        value={words}
        onChange={({ target }) => setWords(target.value)}
        autoComplete="off"
        required
        autoFocus
      />
      <div className="grid gap-3 @md:grid-cols-2">
        <Field
          label="By when"
          type="datetime-local"
          value={due}
          onChange={({ target }) => setDue(target.value)}
          required
        />
        <ChoiceField
          label="Owner"
          choices={owners}
          value={owner}
          onChange={({ target }) => setOwner(target.value)}
        />
      </div>
      {kind === "call-back" && !of && (
        <TickField checked={safe} onChange={({ target }) => setSafe(target.checked)} required>
          The caller said that it is safe to be rung back at that time.
        </TickField>
      )}
      <Trouble words={trouble ? refusalWords(trouble) : null} className="empty:hidden" />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" unavailable={busy} className={STRONG}>
          {of ? "Save" : kind === "call-back" ? "Plan it" : "Add it"}
        </Button>
        <button type="button" className={PLAIN} onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}
