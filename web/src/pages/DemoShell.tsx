/** `/Demo` before its script has arrived, and all there is of it where scripts are off. */
import { CallToCome } from "./demo/CallAtRest.tsx";

export function DemoShell() {
  return (
    <div className="mx-auto min-h-svh max-w-[86rem] px-4 pt-4 pb-16 sm:px-6 sm:pt-6 noscript:min-h-0">
      <title>Talk to Nightlight – demonstration</title>
      <CallToCome name="Nightlight" />
    </div>
  );
}
