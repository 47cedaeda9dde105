/** Which parts of the page hold words that are not saved: asked about before they would be lost. */
import { createContext, useContext, useEffect, useId } from "react";

export class UnsavedWords {
  readonly #parts = new Set<string>();

  set(part: string, unsaved: boolean): void {
    if (unsaved) this.#parts.add(part);
    else this.#parts.delete(part);
  }
  /** Whether there are any, beside so many that are known of. */
  any(besides = 0): boolean {
    return this.#parts.size > besides;
  }
}

export const UnsavedContext = createContext(new UnsavedWords());

export const useUnsavedWords = () => useContext(UnsavedContext);

/** This part of the page holds words that are not saved, while it is there and `unsaved`. */
export function useUnsaved(unsaved: boolean): void {
  const words = useUnsavedWords();
  const part = useId();
  useEffect(() => {
    words.set(part, unsaved);
    return () => words.set(part, false);
  }, [words, part, unsaved]);
}
