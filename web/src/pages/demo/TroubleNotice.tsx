/** A call that failed: what happened, what to do about it, and whom to ring now. */
import { EmergencyList } from "../../ui/EmergencyList.tsx";
import { AlertIcon } from "../../ui/icons.tsx";
import type { TroubleWords } from "./call-words.ts";

interface TroubleNoticeProps extends TroubleWords {
  /** The call area's own heading, where there is no other. */
  isHeading?: boolean;
}

export function TroubleNotice({ title, advice, isHeading = false }: TroubleNoticeProps) {
  const Heading = isHeading ? "h1" : "h2";
  return (
    <div role="alert" className="settles mt-5 max-w-xl rounded-control border border-line bg-paper/85 p-5">
      <Heading
        {...(isHeading && { id: "call-heading" })}
        className="flex items-center gap-2.5 text-lg font-bold"
      >
        <AlertIcon className="size-6 text-lamp-ink" />
        {title}
      </Heading>
      <p className="mt-2 text-quiet">{advice}</p>
      <div className="mt-3">
        <EmergencyList />
      </div>
    </div>
  );
}
