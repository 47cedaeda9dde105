/** The recovery codes, which are shown this once: to be copied or printed before going on. */
import { useEffect, useRef, useState } from "react";
import { PLAIN, STRONG } from "./desk-style.ts";

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [told, setTold] = useState("");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join("\n"));
      setTold("Copied.");
    } catch {
      setTold("They could not be copied here: select them, or print them.");
    }
  };
  return (
    <div className="mx-auto grid max-w-xl gap-5 py-10">
      <h1 ref={heading} tabIndex={-1} className="outline-none font-serif text-section font-medium">
        Keep your recovery codes
      </h1>
      <p>
        Each signs you in once, when your phone is not at hand. They are shown this once. Keep them where
        nobody else looks, and not on the phone itself.
      </p>
      <ol
        aria-label="Recovery codes"
        className="grid grid-cols-2 gap-x-8 gap-y-2 rounded-panel bg-raised p-6"
      >
        {codes.map((code) => (
          <li key={code}>
            <code className="text-lg font-semibold break-all">{code}</code>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-3 print:hidden">
        <button type="button" className={PLAIN} onClick={copy}>
          Copy
        </button>
        <button type="button" className={PLAIN} onClick={() => window.print()}>
          Print
        </button>
        <p role="status" className="text-sm text-quiet">
          {told}
        </p>
      </div>
      <button type="button" className={`${STRONG} justify-self-start print:hidden`} onClick={onDone}>
        I have kept them: sign in
      </button>
    </div>
  );
}
