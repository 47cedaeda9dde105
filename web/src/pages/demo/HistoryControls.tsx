/** Finding records: search, filters and the order, which a table's headers change too. */
import { type ReactNode, useId } from "react";
import { AGENCY_NAMES } from "../../records/agencies.ts";
import { isNarrowed, NO_AGENCY, type Order, type Selection, type SortKey } from "../../records/selection.ts";
import { Button } from "../../ui/Button.tsx";
import { COLUMNS } from "./history-columns.tsx";

interface HistoryControlsProps {
  selection: Selection;
  agencies: readonly string[];
  onChange: (change: Partial<Selection>) => void;
  onClear: () => void;
}

export function HistoryControls({ selection, agencies, onChange, onClear }: HistoryControlsProps) {
  const id = useId();
  const { order } = selection;
  return (
    <search className="mt-3 grid print:hidden grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap">
      <label htmlFor={`${id}-search`} className="col-span-2 grow sm:basis-full xl:max-w-sm xl:basis-64">
        <span className="block text-sm font-semibold text-quiet">Search</span>
        <input
          id={`${id}-search`}
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={selection.search}
          onChange={(event) => onChange({ search: event.target.value })}
          className="mt-1 min-h-11 w-full rounded-control border border-line-strong bg-surface px-3"
        />
      </label>
      <Choice
        label="Urgency"
        value={selection.urgent}
        onChoose={(urgent) => onChange({ urgent: urgent as Selection["urgent"] })}
      >
        <option value="all">Any</option>
        <option value="urgent">Urgent only</option>
        <option value="not-urgent">Not urgent only</option>
      </Choice>
      <Choice label="Agency" value={selection.agency} onChoose={(agency) => onChange({ agency })}>
        <option value="">Any</option>
        {agencies.map((code) => (
          <option key={code} value={code}>
            {AGENCY_NAMES[code] ? `${code} – ${AGENCY_NAMES[code]}` : code}
          </option>
        ))}
        <option value={NO_AGENCY}>No agency</option>
      </Choice>
      <Choice
        label="Status"
        value={selection.status}
        onChoose={(status) => onChange({ status: status as Selection["status"] })}
      >
        <option value="all">Any</option>
        <option value="ongoing">Ongoing only</option>
        <option value="completed">Completed only</option>
      </Choice>
      <Choice
        label="Sort by"
        value={order?.by ?? ""}
        onChoose={(by) => {
          const sort = COLUMNS.find((column) => column.sort?.by === by)?.sort;
          onChange({ order: sort ? { by: sort.by, descending: sort.descendingFirst ?? false } : null });
        }}
      >
        <option value="">Urgent first</option>
        <option value="date">Newest first</option>
        {COLUMNS.map(
          ({ header, sort }) =>
            sort &&
            isOffered(sort.by, order) && (
              <option key={header} value={sort.by}>
                {header}
              </option>
            ),
        )}
      </Choice>
      {isNarrowed(selection) && (
        <Button
          onClick={onClear}
          className="min-h-11 rounded-control px-2 font-semibold text-link max-sm:justify-self-start max-sm:px-0 underline underline-offset-4 hover:decoration-2"
        >
          Clear
        </Button>
      )}
    </search>
  );
}

/** Beside the two above it, the same under another name would only be a riddle. */
function isOffered(by: SortKey, order: Order | null): boolean {
  return by !== "date" && (by !== "urgent" || order?.by === "urgent");
}

interface ChoiceProps {
  label: string;
  value: string;
  onChoose: (value: string) => void;
  children: ReactNode;
}

function Choice({ label, value, onChoose, children }: ChoiceProps) {
  const id = useId();
  return (
    <label htmlFor={id} className="min-w-0 sm:max-xl:flex-1 sm:basis-32 xl:basis-auto">
      <span className="block text-sm font-semibold text-quiet">{label}</span>
      <select
        id={id}
        value={value}
        onChange={(event) => onChoose(event.target.value)}
        className="mt-1 min-h-11 w-full rounded-control border border-line-strong bg-surface px-2 xl:w-40"
      >
        {children}
      </select>
    </label>
  );
}
