/** `/desk` before its script has arrived, and all there is of it where scripts are off. */
import { DeskFrame } from "./DeskFrame.tsx";
import { PAGE } from "./desk/desk-style.ts";

export function DeskShell() {
  return (
    <DeskFrame>
      <div className={`${PAGE} py-16`}>
        <h1 className="font-serif text-section font-medium">Duty desk</h1>
        <noscript>
          <p className="mt-4">The desk needs scripts: without them nothing rings here.</p>
        </noscript>
      </div>
    </DeskFrame>
  );
}
