/**
 * Asks the same again, beside what is still unanswered: on a network that loses many packets one connection may hang for many
 * seconds while another gets through at once.
 */

export interface AskingAgain {
  /** How long an answer is waited for before the same is asked once more. */
  everyMs: number;
  /** Asked at once, the first included. */
  most: number;
}

/**
 * The first answer, or the first refusal that is one, whichever comes first; what is still asked then is given up. What failed for
 * want of a network fails all only when it is the last. Rejects with the reason of `signal` when that fires.
 */
export async function firstToCome<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { everyMs, most }: AskingAgain,
  signal: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const bound = AbortSignal.any([signal, over.signal]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      let asked = 0;
      let failed = 0;
      const askOnce = () => {
        clearTimeout(timer);
        asked += 1;
        if (asked < most) timer = setTimeout(askOnce, everyMs);
        ask(bound).then(resolve, (error: unknown) => {
          failed += 1;
          // A browser's word for a connection that came to nothing.
          const wasLost = error instanceof TypeError;
          if (!wasLost || failed === asked) reject(error);
        });
      };
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      if (signal.aborted) reject(signal.reason);
      else askOnce();
    });
  } finally {
    clearTimeout(timer);
    over.abort();
  }
}
