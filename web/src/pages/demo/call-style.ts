/** How the buttons of the call area look: one lit, the others quiet. */
export const PRIMARY =
  "inline-flex min-h-16 items-center justify-center gap-3 rounded-full bg-lamp px-8 text-lg font-bold text-on-lamp hover:bg-[#ffd488] max-sm:min-w-0! max-sm:grow max-sm:px-4";
export const SECONDARY =
  "inline-flex min-h-16 items-center justify-center gap-2.5 rounded-full border border-line-strong px-4 font-semibold sm:px-6 hover:border-ink aria-pressed:bg-ink aria-pressed:text-block";
export const QUIET =
  "inline-flex min-h-11 items-center gap-2 rounded-control font-semibold text-ink underline decoration-ink/40 underline-offset-4 hover:decoration-2 hover:decoration-ink";
/** The lit button at rest glows. */
export const GLOW = "shadow-[0_0_0_6px_rgb(255_197_102/0.14),0_0_48px_-4px_rgb(255_197_102/0.45)]";
/** Exit this page, where a panel or a dialog covers the button in the page's bar. */
export const EXIT =
  "inline-flex min-h-11 items-center rounded-control text-sm font-bold whitespace-nowrap text-ink underline underline-offset-4 hover:decoration-2";
