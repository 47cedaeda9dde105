/** The agencies by name, where each was chosen once: urgent ones with the word. */
import { AGENCY_NAMES } from "../../../records/agencies.ts";
import { NOT_APPLICABLE } from "../../../records/call-record.ts";
import { truncate } from "../../../records/format.ts";
import type { Count } from "../../../records/overview.ts";
import { AlertIcon } from "../../../ui/icons.tsx";
import { Pill } from "../../../ui/Pill.tsx";

/** Every agency's own code is shorter. */
const LABEL_LENGTH = 10;

export function AgencyNames({ agencies }: { agencies: readonly Count[] }) {
  return (
    <ul aria-label="Agencies" className="flex flex-wrap gap-2">
      {agencies
        .filter(({ label }) => label !== NOT_APPLICABLE)
        .map(({ label, urgent }) => (
          <li key={label} title={AGENCY_NAMES[label]}>
            {urgent > 0 ? (
              <Pill tone="urgent" icon={<AlertIcon className="size-4" />}>
                {truncate(label, LABEL_LENGTH)}, urgent
              </Pill>
            ) : (
              <Pill>{truncate(label, LABEL_LENGTH)}</Pill>
            )}
          </li>
        ))}
    </ul>
  );
}
