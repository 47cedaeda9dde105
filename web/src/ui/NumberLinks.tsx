/** A text in which the telephone numbers that the page knows can be rung, or texted, by pressing them. */
import { withKnownNumbers } from "./known-numbers.ts";

export function NumberLinks({ text }: { text: string }) {
  return withKnownNumbers(text).map((stretch, i) =>
    stretch.href ? (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: stretches of a text have no identity but their place
        key={i}
        href={stretch.href}
        // The padding is room for a finger, and moves no line.
        className="-mx-1 rounded-sm px-1 py-2 font-bold whitespace-nowrap text-link underline decoration-2 underline-offset-4 hover:decoration-4"
      >
        {stretch.text}
      </a>
    ) : (
      stretch.text
    ),
  );
}
