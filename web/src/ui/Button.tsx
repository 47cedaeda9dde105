/** A button that keeps the focus while it cannot be pressed, so that nobody loses their place on the page. */
import type { ComponentPropsWithRef } from "react";

interface ButtonProps extends Omit<ComponentPropsWithRef<"button">, "disabled"> {
  unavailable?: boolean;
}

export function Button({ unavailable = false, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={unavailable || undefined}
      onClick={unavailable ? (event) => event.preventDefault() : onClick}
    />
  );
}
