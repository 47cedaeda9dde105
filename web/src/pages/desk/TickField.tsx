/** A box to tick, with its words beside it. */
import type { ComponentPropsWithRef, ReactNode } from "react";

interface TickFieldProps extends ComponentPropsWithRef<"input"> {
  type?: "checkbox" | "radio";
  children: ReactNode;
}

export function TickField({ type = "checkbox", children, ...field }: TickFieldProps) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input type={type} {...field} className="size-5 shrink-0 accent-(--lamp-ink)" />
      <span>{children}</span>
    </label>
  );
}
