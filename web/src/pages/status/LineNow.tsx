/** The line as it was told last. Everything keeps its place from one telling to the next. */
import type { ReactNode } from "react";
import type { LineStatus, PartStatus } from "../../api/contract.ts";
import { formatDate } from "../../records/format.ts";
import { singaporeClock } from "../../records/singapore-time.ts";
import { AlertIcon, CheckIcon } from "../../ui/icons.tsx";
import { Pill } from "../../ui/Pill.tsx";
import {
  endWords,
  LINE_WORDS,
  lengthOfTime,
  PART_NAMES,
  STATE_WORDS,
  TROUBLE_WORDS,
} from "./status-words.ts";

interface LineNowProps {
  status: LineStatus;
  /** When the server was heard last, if it does not answer any more. */
  silentSince: number | null;
}

export function LineNow({ status, silentSince }: LineNowProps) {
  const { headline, word, tone, rest } = LINE_WORDS[status.line];
  const { calls } = status;
  return (
    <>
      <div className="mt-6 flex flex-wrap items-baseline gap-x-4 gap-y-2">
        <p role="status" className="font-serif text-title font-medium">
          {silentSince === null ? headline : "The server does not answer"}
        </p>
        <Pill
          tone={silentSince === null ? tone : "urgent"}
          icon={iconOf(silentSince === null ? tone : "urgent")}
        >
          {silentSince === null ? word : `Heard last at ${timeOfDay(silentSince)}`}
        </Pill>
      </div>
      <p className="mt-2 max-w-[68ch] text-quiet">
        {silentSince === null
          ? rest
          : "Nobody can call while it is gone. Start it, and read the end of its log. Below is what it told last."}
      </p>
      <dl className="mt-10 grid grid-cols-2 gap-x-10 gap-y-8 sm:grid-cols-3 lg:grid-cols-5">
        <Figure count={calls.talking} what="on the line" />
        <Figure count={calls.freeLines} rest={`of ${calls.maxCalls}`} what="lines left" />
        <Figure count={calls.waitingToBeJoined} what="about to join" />
        <Figure count={calls.cutOff} what="cut off, waited for" />
        <Figure count={calls.written} rest={`of ${calls.maxWritten}`} what="in writing" />
      </dl>
      <div className="mt-14 grid gap-x-16 gap-y-14 lg:grid-cols-[3fr_2fr]">
        <Section id="parts" heading="Parts">
          <ul>
            {status.parts.map((part) => (
              <PartRow key={part.part} part={part} />
            ))}
          </ul>
        </Section>
        <div className="grid content-start gap-y-14">
          <Section id="ends" heading="Ended in the last hour">
            {status.endsOfTheLastHour.length === 0 ? (
              <p className="text-quiet">No call has ended in the last hour.</p>
            ) : (
              <dl>
                {status.endsOfTheLastHour.map(({ reason, count }) => (
                  <div key={reason} className="flex justify-between gap-4 border-t border-line py-2.5">
                    <dt>{endWords(reason)}</dt>
                    <dd className="font-bold tabular-nums">{count}</dd>
                  </div>
                ))}
              </dl>
            )}
          </Section>
          <Section id="faults" heading="Faults of the last day">
            {status.faults.length === 0 ? (
              <p className="text-quiet">The log holds no warning and no error.</p>
            ) : (
              <ul>
                {status.faults.map(({ severity, message, times, lastAt }) => (
                  <li key={severity + message} className="border-t border-line py-3">
                    <p className="wrap-anywhere">
                      <span className={severity === "error" ? "font-bold text-urgent" : "font-bold"}>
                        {severity === "error" ? "Error" : "Warning"}:
                      </span>{" "}
                      {message}
                    </p>
                    <p className="mt-0.5 text-sm text-quiet tabular-nums">
                      {times === 1 ? "Once" : `${times} times`}, last {formatDate(lastAt)}
                    </p>
                  </li>
                ))}
              </ul>
            )}
          </Section>
        </div>
      </div>
      <p className="mt-14 text-sm text-quiet tabular-nums">
        Version {status.version}, running for {lengthOfTime(status.startedAt, status.at)}. Told at{" "}
        {timeOfDay(Date.parse(status.at))}, Singapore time, and again every five seconds.
      </p>
    </>
  );
}

function PartRow({ part: { part, state, troubles, detail } }: { part: PartStatus }) {
  const { word, tone } = STATE_WORDS[state];
  return (
    <li className="border-t border-line py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h3 className="min-w-[8.5rem] font-bold">{PART_NAMES[part]}</h3>
        <Pill tone={tone} icon={iconOf(tone)}>
          {word}
        </Pill>
        {detail && <span className="text-sm wrap-anywhere text-quiet">{detail}</span>}
      </div>
      {troubles.map((trouble) => (
        <p key={trouble} className="mt-2 max-w-[62ch]">
          {TROUBLE_WORDS[trouble].what} <span className="font-semibold">{TROUBLE_WORDS[trouble].todo}</span>
        </p>
      ))}
    </li>
  );
}

function Figure({ count, rest, what }: { count: number; rest?: string; what: string }) {
  return (
    <div className="flex flex-col-reverse justify-end border-t-2 border-lamp pt-3">
      <dt className="text-quiet">{what}</dt>
      <dd className="font-serif text-section font-medium tabular-nums">
        {count} {rest && <span className="text-lg text-quiet">{rest}</span>}
      </dd>
    </div>
  );
}

function Section({ id, heading, children }: { id: string; heading: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className="mb-4 font-serif text-title font-medium">
        {heading}
      </h2>
      {children}
    </section>
  );
}

function iconOf(tone: string): ReactNode {
  switch (tone) {
    case "calm":
      return <CheckIcon className="size-4" />;
    case "plain":
      return null;
    default:
      return <AlertIcon className="size-4" />;
  }
}

/** "2:04:05 AM", by Singapore's clock. */
function timeOfDay(moment: number): string {
  const clock = singaporeClock(moment);
  const two = (value: number) => String(value).padStart(2, "0");
  const hours = clock.getUTCHours();
  return `${hours % 12 || 12}:${two(clock.getUTCMinutes())}:${two(clock.getUTCSeconds())} ${hours < 12 ? "AM" : "PM"}`;
}
