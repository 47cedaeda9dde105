/** The side panel "Call Log": one record, as a summary or as a transcript. */
import { Dialog } from "@base-ui/react/dialog";
import { Toggle } from "@base-ui/react/toggle";
import { ToggleGroup } from "@base-ui/react/toggle-group";
import { type RefObject, useRef, useState } from "react";
import { ExitLink } from "../../exit/ExitThisPage.tsx";
import type { CallRecord } from "../../records/call-record.ts";
import { type Place, placeOf } from "../../records/evidence.ts";
import { type Said, useSaid } from "../../records/use-history.ts";
import { CloseIcon } from "../../ui/icons.tsx";
import { CallSummary } from "./CallSummary.tsx";
import { CallTranscript } from "./CallTranscript.tsx";
import { CaseNoteActions } from "./CaseNoteActions.tsx";
import { EXIT } from "./call-style.ts";
import "./print.css";
import { Button } from "../../ui/Button.tsx";

type View = "summary" | "transcript";

interface CallLogPanelProps {
  record: CallRecord | null;
  assistantName: string;
  onClose: () => void;
  onDelete: (record: CallRecord) => void;
}

export function CallLogPanel({ record, assistantName, onClose, onDelete }: CallLogPanelProps) {
  // Not the first thing in it, which leads away.
  const closer = useRef<HTMLButtonElement>(null);
  // The record stays drawn while the panel slides away.
  const [drawn, setDrawn] = useState(record);
  if (record && record !== drawn) setDrawn(record);
  const shown = record ?? drawn;

  return (
    <Dialog.Root open={record !== null} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="side-panel-backdrop fixed inset-0 z-40 bg-[#050a18]/55" />
        <Dialog.Popup
          initialFocus={closer}
          className="side-panel fixed inset-y-0 right-0 z-40 flex w-full max-w-[42rem] flex-col bg-surface low:overflow-y-auto text-ink shadow-lifted outline-none"
        >
          {shown && (
            <PanelContent
              key={shown.id}
              record={shown}
              assistantName={assistantName}
              onDelete={onDelete}
              closer={closer}
            />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PanelContent({
  record,
  assistantName,
  onDelete,
  closer,
}: { record: CallRecord; closer: RefObject<HTMLButtonElement | null> } & Pick<
  CallLogPanelProps,
  "assistantName" | "onDelete"
>) {
  const [view, setView] = useState<View>("summary");
  const [place, setPlace] = useState<Place | null>(null);
  const said = useSaid(record);
  const { messages = [] } = record.details;
  return (
    <>
      <div className="flex items-center justify-between gap-4 border-b border-line px-5 py-2 sm:px-8 print:px-0">
        <Dialog.Title className="font-serif text-title font-medium">Call Log</Dialog.Title>
        <ExitLink className={`${EXIT} not-printed ml-auto`} />
        <Dialog.Close
          ref={closer}
          aria-label="Close the call log"
          className="not-printed grid size-11 place-items-center rounded-control hover:bg-raised"
        >
          <CloseIcon className="size-6" />
        </Dialog.Close>
      </div>
      <div className="not-printed flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-5 py-2 sm:px-8">
        <ToggleGroup
          aria-label="View"
          value={[view]}
          onValueChange={([chosen]) => {
            if (!chosen) return;
            setView(chosen as View);
            setPlace(null);
          }}
          className="inline-flex rounded-full border border-line-strong"
        >
          {(["summary", "transcript"] as const).map((each) => (
            <Toggle
              key={each}
              value={each}
              className="min-h-11 rounded-full px-5 font-semibold text-quiet data-[pressed]:bg-ink data-[pressed]:text-surface"
            >
              {each === "summary" ? "Summary" : "Transcript"}
            </Toggle>
          ))}
        </ToggleGroup>
        <CaseNoteActions record={record} complete={said.state !== "fetching"} />
      </div>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        aria-label={`Case ${record.id}`}
        className="grow px-5 py-4 sm:px-8 not-low:overflow-y-auto"
      >
        {view === "summary" ? (
          <>
            <CallSummary
              record={record}
              onShow={(evidence) => {
                setView("transcript");
                setPlace(placeOf(evidence, messages));
              }}
            />
            {said.state !== "here" && (
              <div className="not-printed mt-8">
                <NotHere said={said} />
              </div>
            )}
          </>
        ) : said.state !== "here" ? (
          <NotHere said={said} />
        ) : (
          <CallTranscript messages={messages} assistantName={assistantName} place={place} />
        )}
      </section>
      <div className="not-printed flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-line px-5 py-2 sm:px-8">
        <Button
          onClick={() => onDelete(record)}
          className="min-h-11 rounded-control border border-urgent/60 px-4 font-semibold text-urgent hover:bg-urgent-surface"
        >
          Delete Case
        </Button>
        <p className="text-sm text-quiet">Removes it from this view only.</p>
      </div>
    </>
  );
}

const NOT_HERE: Record<Exclude<Said["state"], "here">, string> = {
  fetching: "Fetching what was said…",
  failed: "What was said could not be fetched.",
  gone: "This record is not kept any more. What you see is what this page had of it.",
};

function NotHere({ said: { state, fetch } }: { said: Said }) {
  if (state === "here") return null;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-4 gap-y-2 text-quiet">
      {NOT_HERE[state]}
      {state === "failed" && (
        <Button
          onClick={fetch}
          className="min-h-11 rounded-control border border-line-strong px-4 font-semibold text-ink hover:border-ink"
        >
          Try again
        </Button>
      )}
    </p>
  );
}
