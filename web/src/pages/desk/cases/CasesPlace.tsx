/**
 * The place of the cases: the queue, and beside it the case that the address names. It stays as it is while
 * other places are looked at, and asks before words that are not saved would be lost.
 */
import { useEffect, useRef, useState } from "react";
import type { Signed } from "../../../desk/contract.ts";
import { caseFragment, type DeskAddress, NEW_CASE } from "../../../desk/desk-address.ts";
import { useUnsavedWords } from "../../../desk/unsaved-words.ts";
import { DANGER, PAGE, PLAIN } from "../desk-style.ts";
import { CaseQueue } from "./CaseQueue.tsx";
import { CaseView } from "./CaseView.tsx";
import { EnterCase } from "./EnterCase.tsx";

interface CasesPlaceProps {
  /** Where one is, told anew at each move. */
  address: DeskAddress;
  may: Signed["may"];
}

export function CasesPlace({ address, may }: CasesPlaceProps) {
  const inView = address.place === "cases";
  const unsaved = useUnsavedWords();
  const [open, setOpen] = useState(inView ? address.caseId : null);
  /** Where one wants to go, while it is asked whether what was typed may go. */
  const [wanted, setWanted] = useState<{ caseId: string | null } | null>(null);
  const stay = useRef<HTMLButtonElement>(null);

  /** What was typed may go, or has been kept. */
  const free = useRef(false);

  useEffect(() => {
    if (address.place !== "cases") return;
    if (address.caseId === open) return setWanted(null);
    if (unsaved.any() && !free.current) {
      history.replaceState(null, "", caseFragment(open));
      setWanted({ caseId: address.caseId });
    } else {
      free.current = false;
      setWanted(null);
      setOpen(address.caseId);
    }
  }, [address, open, unsaved]);
  useEffect(() => {
    if (wanted) stay.current?.focus();
  }, [wanted]);

  const go = (caseId: string | null) => {
    free.current = true;
    window.location.hash = caseFragment(caseId);
  };

  return (
    <div
      hidden={!inView}
      className={`${PAGE} grid items-start gap-x-8 gap-y-6 py-5 lg:grid-cols-[20rem_minmax(0,1fr)]`}
    >
      {inView && <title>Cases – Duty desk</title>}
      <h1 className="sr-only">Cases</h1>
      {/* On a narrow screen an open case stands in place of the list. */}
      <div className={`desk-queue ${open ? "max-lg:hidden" : ""}`}>
        <CaseQueue chosen={open} mayEnter={(may["enter-case"] ?? "never") !== "never"} />
      </div>
      <div className="grid gap-4">
        {wanted && (
          <div
            role="alertdialog"
            aria-labelledby="unsaved"
            className="flex flex-wrap items-center gap-3 rounded-control border border-lamp-ink/40 bg-glow px-4 py-3"
          >
            <p id="unsaved" className="grow font-semibold">
              What you typed in this case is not saved.
            </p>
            <button ref={stay} type="button" className={PLAIN} onClick={() => setWanted(null)}>
              Stay here
            </button>
            <button type="button" className={DANGER} onClick={() => go(wanted.caseId)}>
              Leave without it
            </button>
          </div>
        )}
        {open === NEW_CASE ? (
          <EnterCase onEntered={go} />
        ) : open ? (
          <CaseView key={open} callId={open} />
        ) : (
          <p className="text-quiet max-lg:hidden">Choose a case to read its note and what was said.</p>
        )}
      </div>
    </div>
  );
}
