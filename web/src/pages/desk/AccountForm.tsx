/** What is to be known of an account, to invite somebody or to change it. */
import { type FormEvent, useId } from "react";
import type { DeskAccount, NewAccount, Role } from "../../desk/contract.ts";
import { AGENCY_CODES, agencyName, LANGUAGES, ROLE_NAMES } from "../../desk/desk-words.ts";
import { Button } from "../../ui/Button.tsx";
import { FIELD, PLAIN, STRONG } from "./desk-style.ts";
import { Field } from "./Field.tsx";
import { Trouble } from "./Trouble.tsx";

interface AccountFormProps {
  title: string;
  /** Its sign-in name stays; absent for a new one. */
  account?: DeskAccount;
  busy: boolean;
  trouble: string | null;
  submit: string;
  onSubmit: (account: NewAccount) => void;
  onCancel: () => void;
}

export function AccountForm({ title, account, busy, trouble, submit, onSubmit, onCancel }: AccountFormProps) {
  const id = useId();
  const submitted = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const given = new FormData(event.currentTarget);
    onSubmit({
      name: String(given.get("name") ?? "").trim(),
      signInName: account?.signInName ?? String(given.get("signInName") ?? "").trim(),
      role: String(given.get("role")) as Role,
      agencies: given.getAll("agency").map(String),
      languages: given.getAll("language").map(String),
    });
  };
  return (
    <form
      onSubmit={submitted}
      aria-labelledby={`${id}-title`}
      className="grid max-w-2xl gap-5 rounded-panel bg-raised p-5 sm:p-8"
    >
      <h2 id={`${id}-title`} className="text-title font-bold">
        {title}
      </h2>
      <Trouble words={trouble} className="empty:hidden" />
      <Field
        label="Name"
        hint="As colleagues see it."
        name="name"
        defaultValue={account?.name}
        autoComplete="off"
        required
        autoFocus
      />
      {!account && (
        <Field
          label="Sign-in name"
          name="signInName"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
      )}
      <div>
        <label htmlFor={`${id}-role`} className="block font-semibold">
          Role
        </label>
        <select
          id={`${id}-role`}
          name="role"
          defaultValue={account?.role ?? "officer"}
          className={`${FIELD} mt-1`}
        >
          {Object.entries(ROLE_NAMES).map(([role, name]) => (
            <option key={role} value={role}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Choices
        legend="Agencies"
        name="agency"
        choices={AGENCY_CODES.map((code) => [code, agencyName(code)])}
        chosen={account?.agencies ?? []}
      />
      <Choices
        legend="Languages"
        name="language"
        choices={Object.entries(LANGUAGES)}
        chosen={account?.languages ?? ["en"]}
      />
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

function Choices({
  legend,
  name,
  choices,
  chosen,
}: {
  legend: string;
  name: string;
  choices: readonly (readonly [code: string, word: string])[];
  chosen: readonly string[];
}) {
  return (
    <fieldset>
      <legend className="font-semibold">{legend}</legend>
      <div className="mt-1 grid gap-x-6 sm:grid-cols-2">
        {choices.map(([code, word]) => (
          <label key={code} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              name={name}
              value={code}
              defaultChecked={chosen.includes(code)}
              className="size-5 shrink-0 accent-(--lamp-ink)"
            />
            {word}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
