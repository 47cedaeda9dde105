/** How the desk's buttons and fields look: quiet, all of one height, one lit. */
export const PLAIN =
  "print:hidden inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-line-strong px-4 font-semibold hover:border-ink";
export const STRONG =
  "print:hidden inline-flex min-h-11 items-center justify-center gap-2 rounded-control bg-lamp px-5 font-bold text-on-lamp hover:bg-[#ffd488]";
export const DANGER =
  "print:hidden inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-urgent/60 px-4 font-semibold text-urgent hover:bg-urgent-surface";
export const FIELD =
  "min-h-11 w-full rounded-control border border-line-strong bg-surface px-3 py-2 text-ink";
export const PAGE = "mx-auto max-w-[86rem] px-4 sm:px-6";
