/** A field for more than a line, with its label. */
import { type ComponentPropsWithRef, type ReactNode, useId } from "react";
import { FIELD } from "./desk-style.ts";

interface WordsFieldProps extends ComponentPropsWithRef<"textarea"> {
  label: string;
  hint?: ReactNode;
}

export function WordsField({ label, hint, rows = 3, ...field }: WordsFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-quiet">
          {hint}
        </p>
      )}
      <textarea
        id={id}
        rows={rows}
        dir="auto"
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...field}
        className={`${FIELD} desk-words mt-1 block`}
      />
    </div>
  );
}
