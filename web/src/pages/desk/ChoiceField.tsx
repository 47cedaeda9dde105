/** One of several, with its label. */
import { type ComponentPropsWithRef, useId } from "react";
import { FIELD } from "./desk-style.ts";

interface ChoiceFieldProps extends ComponentPropsWithRef<"select"> {
  label: string;
  choices: readonly (readonly [value: string, word: string])[];
}

export function ChoiceField({ label, choices, ...field }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="block font-semibold">
        {label}
      </label>
      <select id={id} {...field} className={`${FIELD} mt-1`}>
        {choices.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </select>
    </div>
  );
}
