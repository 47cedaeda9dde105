/** An act that is one and the same function, whatever it does by now: what is given it need not be drawn again for it. */
import { useCallback, useRef } from "react";

export function useSteady<Asked extends unknown[], Answered>(
  act: (...asked: Asked) => Answered,
): (...asked: Asked) => Answered {
  const latest = useRef(act);
  latest.current = act;
  return useCallback((...asked: Asked) => latest.current(...asked), []);
}
