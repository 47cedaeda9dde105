/** How all charts look. Colours are the page's own, so that they follow light and dark. */
export const CALLS = "var(--line-strong)";
export const URGENT = "var(--urgent)";
export const TEXT = "var(--quiet)";
export const TEXT_SIZE = 14;
/** Between two parts of one bar: told apart without their colours, too. */
export const GAP = 2;
