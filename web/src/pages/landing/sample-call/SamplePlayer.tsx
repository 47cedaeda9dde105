/** The sound of the sample call, its captions in step, and its case note as the dashboard writes it. */
import { useEffect, useRef, useState } from "react";
import { recordFromInfo } from "../../../records/call-record.ts";
import { detailRows, followUpOf } from "../../../records/case-note.ts";
import call from "./call.json";
import sound from "./call.webm";
import { captionAt, type SampleCall, turnsOf } from "./captions.ts";

const { captions, info } = call as SampleCall;
const TURNS = turnsOf(captions);
const RECORD = recordFromInfo("1", info);
const SPEAKERS = { caller: "Caller", assistant: "Nightlight" } as const;
/** What tells one call from another says nothing here. */
const ROWS = detailRows(RECORD).filter(([label]) => label !== "CALL ID" && label !== "CALL STARTED AT");

export function SamplePlayer() {
  const audio = useRef<HTMLAudioElement>(null);
  const [due, setDue] = useState(-1);
  const [silent, setSilent] = useState(false);

  useEffect(() => {
    // The button that was pressed is gone.
    audio.current?.focus();
    // Where a browser wants another press for sound, the controls are there.
    audio.current?.play().catch(() => {});
  }, []);

  return (
    <div className="mt-6 grid gap-x-16 gap-y-12 lg:grid-cols-[1.2fr_1fr]">
      <div>
        {/* biome-ignore lint/a11y/useMediaCaption: the captions stand below it, as text */}
        <audio
          ref={audio}
          controls
          src={sound}
          aria-label="The sample call"
          aria-describedby="sample-captions"
          onTimeUpdate={({ currentTarget }) => setDue(captionAt(captions, currentTarget.currentTime))}
          onError={() => setSilent(true)}
        />
        {silent && <p role="status">This browser cannot play the sound. The words are below.</p>}
        <p aria-hidden="true" className="mt-4 min-h-26 font-serif sm:min-h-16 text-caption text-balance">
          {captions[due]?.words}
        </p>
        <h3 id="sample-captions" className="mt-4 font-bold">
          All that is said
        </h3>
        <ol className="sample-captions mt-3 grid gap-3">
          {TURNS.map(({ speaker, captions: said }) => (
            <li key={said[0]} className="grid gap-x-4 sm:grid-cols-[6.5rem_1fr]">
              <span className="font-semibold text-quiet">
                {SPEAKERS[speaker]}
                <span className="sr-only">:</span>
              </span>
              <p>
                {said.map((i) => (
                  <span key={i}>
                    <span {...(i === due && { "aria-current": true })}>{captions[i]?.words}</span>{" "}
                  </span>
                ))}
              </p>
            </li>
          ))}
        </ol>
      </div>
      <article aria-labelledby="sample-note" className="self-start rounded-panel bg-raised p-6 sm:p-8">
        <h3 id="sample-note" className="text-sm font-semibold text-quiet">
          The case note that came of it
        </h3>
        <p className="mt-1 font-serif text-title font-medium">{RECORD.details.summaryTitle}</p>
        <p className="mt-3">{RECORD.details.summary}</p>
        <dl className="mt-5 divide-y divide-line border-y border-line">
          {ROWS.map(([label, value]) => (
            <div key={label} className="grid gap-x-6 py-2 sm:grid-cols-[11rem_1fr]">
              <dt className="text-sm leading-relaxed font-semibold tracking-wide text-quiet">{label}</dt>
              <dd className="min-w-0 [overflow-wrap:anywhere] tabular-nums">{value}</dd>
            </div>
          ))}
        </dl>
        <h4 className="mt-6 text-sm font-semibold text-quiet">Recommended Follow-up</h4>
        <ul className="mt-2 list-disc space-y-1.5 pl-5 marker:text-lamp-ink">
          {followUpOf(RECORD).map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      </article>
    </div>
  );
}
