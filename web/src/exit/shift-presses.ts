/**
 * Counts presses of Shift towards leaving the page: three within five seconds, with nothing else
 * pressed between them. Times are those of the events, in milliseconds.
 */
export const PRESSES_TO_LEAVE = 3;
export const PRESSES_WITHIN_MS = 5000;

/** The presses that still count after a key went down. */
export function countPress(
  counted: readonly number[],
  press: { key: string; repeat: boolean; at: number },
): readonly number[] {
  // Held down it is one press; with another key it is a capital letter or a shortcut.
  if (press.repeat && press.key === "Shift") return counted;
  if (press.key !== "Shift") return [];
  return [...counted.filter((at) => press.at - at < PRESSES_WITHIN_MS), press.at];
}
