/** A field with its label, and what is to be known of it. */
import { type ComponentPropsWithRef, type ReactNode, useId } from "react";
import { FIELD } from "./desk-style.ts";

interface FieldProps extends ComponentPropsWithRef<"input"> {
  label: string;
  hint?: ReactNode;
}

export function Field({ label, hint, ...input }: FieldProps) {
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
      <input
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...input}
        className={`${FIELD} mt-1`}
      />
    </div>
  );
}
