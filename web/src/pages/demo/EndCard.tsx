/** The end of a conversation: what happened, whom to ring now, what to do until then, what was written down. */
import { type RefObject, useLayoutEffect, useRef } from "react";
import type { CallRecord } from "../../records/call-record.ts";
import { EmergencyList } from "../../ui/EmergencyList.tsx";
import { MessageIcon, PhoneIcon } from "../../ui/icons.tsx";
import { NumberLinks } from "../../ui/NumberLinks.tsx";
import { PRIMARY, SECONDARY } from "./call-style.ts";
import type { EndWords } from "./end-words.ts";
import { NoteWritten } from "./NoteWritten.tsx";

interface EndCardProps {
  words: EndWords;
  record: CallRecord | null;
  onOpenNote: (record: CallRecord) => void;
  /** Whether the card takes the focus: what had it has gone, or the end came from the other side. */
  focused: boolean;
}

export function EndCard({
  words: { title, told, ring, ringFirst, ownLine, until },
  record,
  onOpenNote,
  focused,
}: EndCardProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusAtTheEnd(heading, focused);
  return (
    <div className="settles max-w-xl">
      <h1
        ref={heading}
        id="call-heading"
        tabIndex={-1}
        className="w-fit rounded-sm font-serif text-[1.375rem] leading-tight font-medium text-balance sm:text-title"
      >
        {title}
      </h1>
      {told.map((sentence) => (
        <p key={sentence} className="mt-2 text-pretty">
          <NumberLinks text={sentence} />
        </p>
      ))}
      {ring ? (
        <a
          href={ring.href}
          className={`${ringFirst ? PRIMARY : SECONDARY} mt-4 flex! w-full forced-colors:border-2 justify-start! py-2.5 text-left max-sm:px-5! sm:w-fit sm:min-w-80`}
        >
          {ring.href.startsWith("sms:") ? (
            <MessageIcon className="size-6" />
          ) : (
            <PhoneIcon className="size-6" />
          )}
          <span>
            <span className="block text-[clamp(1.25rem,5.8vw,1.625rem)] leading-tight font-bold">
              {unbroken(ring.label)}
            </span>{" "}
            <span className="block text-sm leading-snug font-semibold text-balance">{ring.who}</span>
          </span>
        </a>
      ) : (
        <div className="mt-3">
          <EmergencyList />
        </div>
      )}
      {ownLine && (
        <p className="mt-2 text-sm text-pretty text-quiet">
          <NumberLinks text={ownLine} />
        </p>
      )}
      {until && (
        <>
          <h2 className="mt-4 text-sm font-semibold text-quiet">
            {ringFirst ? "Until then" : "At any time"}
          </h2>
          <p className="mt-1 text-pretty">
            <NumberLinks text={until} />
          </p>
        </>
      )}
      <NoteWritten record={record} onOpen={onOpenNote} />
    </div>
  );
}

/** A number stays on one line. */
function unbroken(label: string): string {
  return label.replace(/(\d) (?=\d)/g, "$1\u00a0");
}

/** Not from elsewhere on the page: who reads the records meanwhile stays there. */
function useFocusAtTheEnd(heading: RefObject<HTMLElement | null>, wanted: boolean): void {
  // As the card is laid out, so that it is never on the page with the focus still elsewhere in the block.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the card appears
  useLayoutEffect(() => {
    const element = heading.current;
    const before = document.activeElement;
    const elsewhere = before && before !== document.body && !element?.closest("section")?.contains(before);
    if (wanted && !elsewhere) element?.focus({ preventScroll: true });
  }, []);
}
