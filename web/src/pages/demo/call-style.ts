/** How the buttons of the call area look: one lit, the others quiet. */
export const PRIMARY =
  "inline-flex min-h-16 items-center justify-center gap-3 rounded-full bg-lamp px-8 text-lg font-bold text-on-lamp hover:bg-[#ffd488] max-sm:grow";
export const SECONDARY =
  "inline-flex min-h-16 items-center justify-center gap-2.5 rounded-full border border-line-strong px-4 font-semibold sm:px-6 hover:border-ink aria-pressed:bg-ink aria-pressed:text-[#0f1a35]";
export const QUIET =
  "inline-flex min-h-11 items-center gap-2 rounded-control font-semibold text-ink underline decoration-ink/40 underline-offset-4 hover:decoration-2 hover:decoration-ink";
/** The lit button at rest glows. */
export const GLOW = "shadow-[0_0_0_6px_rgb(255_197_102/0.14),0_0_48px_-4px_rgb(255_197_102/0.45)]";
