/** Taking a case note along: copied, as a file, or on paper. */
import { useState } from "react";
import type { CallRecord } from "../../records/call-record.ts";
import { caseNoteFileName, caseNoteText } from "../../records/case-note.ts";
import { Button } from "../../ui/Button.tsx";
import { download } from "../../ui/download.ts";

const ACTION =
  "inline-flex min-h-11 items-center rounded-control px-2.5 text-sm font-semibold text-link underline underline-offset-4 hover:bg-raised hover:decoration-2";

interface CaseNoteActionsProps {
  record: CallRecord;
  /** False while the words behind the note are on their way: it is not taken along without them. */
  complete: boolean;
}

export function CaseNoteActions({ record, complete }: CaseNoteActionsProps) {
  const [told, setTold] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(caseNoteText(record));
      setTold("The note was copied.");
    } catch {
      setTold("This browser does not let the page copy. Download the note instead.");
    }
  };
  return (
    <div className="-mx-2.5 flex flex-wrap items-center">
      <Button className={ACTION} unavailable={!complete} onClick={copy}>
        Copy note
      </Button>
      <Button
        className={ACTION}
        unavailable={!complete}
        onClick={() => download(caseNoteFileName(record), plainText(caseNoteText(record)))}
      >
        Download
      </Button>
      <Button className={ACTION} unavailable={!complete} onClick={() => window.print()}>
        Print
      </Button>
      <p role="status" className="basis-full px-2.5 text-sm text-quiet empty:sr-only">
        {told}
      </p>
    </div>
  );
}

function plainText(text: string): Blob {
  return new Blob([text], { type: "text/plain;charset=utf-8" });
}
