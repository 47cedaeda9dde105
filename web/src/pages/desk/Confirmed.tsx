/** A button whose act cannot be taken back: it asks once, in its own place. */
import { useEffect, useRef, useState } from "react";
import { DANGER, PLAIN } from "./desk-style.ts";

interface ConfirmedProps {
  label: string;
  /** What is to be seen of the label, where the place says the rest. */
  shows?: string;
  question: string;
  yes: string;
  no: string;
  onYes: () => void;
  className?: string;
}

export function Confirmed({ label, shows, question, yes, no, onYes, className = DANGER }: ConfirmedProps) {
  const [asking, setAsking] = useState(false);
  const asker = useRef<HTMLButtonElement>(null);
  const safe = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (asking) safe.current?.focus();
    else if (wasAsking.current) asker.current?.focus();
    wasAsking.current = asking;
  }, [asking]);
  if (!asking) {
    return (
      <button
        ref={asker}
        type="button"
        aria-label={shows && label}
        className={className}
        onClick={() => setAsking(true)}
      >
        {shows ?? label}
      </button>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
    <div
      role="group"
      aria-label={question}
      onKeyDown={(event) => event.key === "Escape" && setAsking(false)}
      className="flex flex-wrap items-center gap-3 rounded-control border border-line-strong bg-surface px-4 py-2"
    >
      <p className="text-ink">{question}</p>
      <button ref={safe} type="button" className={`${PLAIN} text-ink`} onClick={() => setAsking(false)}>
        {no}
      </button>
      <button
        type="button"
        className={DANGER}
        onClick={() => {
          setAsking(false);
          onYes();
        }}
      >
        {yes}
      </button>
    </div>
  );
}
