/** Who is on, day by day of a week; supervisors plan it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { dropShift, fetchColleagues, fetchShifts, planShift } from "../../desk/case-api.ts";
import type { Shift } from "../../desk/case-contract.ts";
import { COLLEAGUES, SHIFTS } from "../../desk/case-queries.ts";
import type { Signed } from "../../desk/contract.ts";
import { listed, ROLE_NAMES } from "../../desk/desk-words.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import {
  clockWords,
  dayAfter,
  dayOf,
  dayWords,
  momentOf,
  mondayOf,
  weekFrom,
} from "../../desk/singapore-days.ts";
import { useMinute } from "../../desk/use-clock.ts";
import { Button } from "../../ui/Button.tsx";
import { ChoiceField } from "./ChoiceField.tsx";
import { Confirmed } from "./Confirmed.tsx";
import { PAGE, PLAIN, STRONG } from "./desk-style.ts";
import { Field } from "./Field.tsx";
import { Trouble } from "./Trouble.tsx";

export function Shifts({ may }: { may: Signed["may"] }) {
  const now = useMinute();
  const client = useQueryClient();
  const [monday, setMonday] = useState(() => mondayOf(dayOf(Date.now())));
  const { days, period } = weekFrom(monday);
  const { data, error } = useQuery({ queryKey: [...SHIFTS, monday], queryFn: () => fetchShifts(period) });
  const dropping = useMutation({
    mutationFn: dropShift,
    onSuccess: () => client.invalidateQueries({ queryKey: SHIFTS }),
  });
  const mayPlan = (may["manage-shifts"] ?? "never") !== "never";
  const shifts = data?.shifts.toSorted((one, other) => one.begins.localeCompare(other.begins)) ?? [];
  const on = shifts.filter(({ begins, ends }) => Date.parse(begins) <= now && now < Date.parse(ends));
  const isThisWeek = mondayOf(dayOf(now)) === monday;
  const today = dayOf(now);

  return (
    <div className={`${PAGE} grid gap-6 py-6`}>
      <title>Shifts – Duty desk</title>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className="font-serif text-section font-medium">Shifts</h1>
          <p className="mt-1">
            The week of {dayWords(monday)}
            {data && isThisWeek && (
              <span className="block font-semibold">
                {on.length === 0
                  ? "Nobody’s shift is on now."
                  : `On now: ${listed(on.map(({ account, ends }) => `${account.name} until ${clockWords(ends)}`))}.`}
              </span>
            )}
          </p>
        </div>
        <div className="flex flex-wrap gap-3">
          <button type="button" className={PLAIN} onClick={() => setMonday(dayAfter(monday, -7))}>
            Week before
          </button>
          {!isThisWeek && (
            <button type="button" className={PLAIN} onClick={() => setMonday(mondayOf(dayOf(Date.now())))}>
              This week
            </button>
          )}
          <button type="button" className={PLAIN} onClick={() => setMonday(dayAfter(monday, 7))}>
            Week after
          </button>
        </div>
      </div>
      <Trouble
        words={error || dropping.error ? refusalWords(error ?? dropping.error) : null}
        className="empty:hidden"
      />
      {!data && !error && (
        <p role="status" className="text-quiet">
          Reading the shifts
        </p>
      )}
      <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,1fr)_24rem]">
        {data && (
          <ol aria-label="Days" className="divide-y divide-line border-y border-line">
            {days.map((day) => (
              <li
                key={day}
                data-today={day === today}
                className="grid gap-x-6 gap-y-1 border-l-4 border-l-transparent px-3 py-2 data-[today=true]:border-l-lamp data-[today=true]:bg-raised sm:grid-cols-[15.5rem_minmax(0,1fr)]"
              >
                <h2 className="py-1.5 font-semibold">
                  {dayWords(day)} {day === today && <span className="font-normal text-quiet">today</span>}
                </h2>
                <ShiftsOf
                  shifts={shifts.filter(({ begins }) => dayOf(begins) === day)}
                  isFirst={day === monday}
                  before={shifts.filter(({ begins }) => dayOf(begins) < monday)}
                  onDrop={mayPlan ? (id) => dropping.mutate(id) : undefined}
                />
              </li>
            ))}
          </ol>
        )}
        {mayPlan && <PlanShift key={monday} day={isThisWeek ? today : monday} />}
      </div>
    </div>
  );
}

interface ShiftsOfProps {
  shifts: readonly Shift[];
  isFirst: boolean;
  /** Those that began in the week before and go on into this one. */
  before: readonly Shift[];
  onDrop?: ((id: string) => void) | undefined;
}

function ShiftsOf({ shifts, isFirst, before, onDrop }: ShiftsOfProps) {
  const all = isFirst ? [...before, ...shifts] : shifts;
  if (all.length === 0) return <p className="py-1.5 text-quiet">Nobody</p>;
  return (
    <ul>
      {all.map(({ id, account, begins, ends }) => (
        <li
          key={id}
          className="flex items-center justify-between gap-x-4 gap-y-1 has-[[role=group]]:flex-wrap"
        >
          <p className="py-1.5">
            <span className="inline-block text-quiet tabular-nums max-sm:block max-sm:text-sm sm:min-w-44">
              {clockWords(begins)} – {clockWords(ends)}
            </span>{" "}
            {account.name}
          </p>
          {onDrop && (
            <Confirmed
              label={`Remove the shift of ${account.name}`}
              shows="Remove"
              question={`Remove the shift of ${account.name}?`}
              yes="Remove it"
              no="Keep it"
              onYes={() => onDrop(id)}
              className="quiet-link px-2 text-sm"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function PlanShift({ day }: { day: string }) {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: COLLEAGUES, queryFn: fetchColleagues });
  const [who, setWho] = useState("");
  const [on, setOn] = useState(day);
  const [from, setFrom] = useState("22:00");
  const [until, setUntil] = useState("06:00");
  const planning = useMutation({
    mutationFn: planShift,
    onSuccess: () => client.invalidateQueries({ queryKey: SHIFTS }),
  });
  const isOvernight = until <= from;
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    const begins = momentOf(`${on}T${from}`);
    const ends = momentOf(`${isOvernight ? dayAfter(on) : on}T${until}`);
    if (planning.isPending || !begins || !ends || !who) return;
    planning.mutate({ accountId: who, begins, ends });
  };
  const colleagues = data?.colleagues ?? [];
  return (
    <form onSubmit={submitted} aria-labelledby="plan" className="grid gap-4 rounded-panel bg-raised p-5">
      <h2 id="plan" className="text-lg font-bold">
        Plan a shift
      </h2>
      <ChoiceField
        label="Who"
        required
        value={who}
        onChange={({ target }) => setWho(target.value)}
        choices={[
          ["", "Choose somebody"],
          ...colleagues.map(
            ({ id, name, role }) => [id, `${name}, ${ROLE_NAMES[role].toLowerCase()}`] as const,
          ),
        ]}
      />
      <Field label="Day" type="date" required value={on} onChange={({ target }) => setOn(target.value)} />
      <div className="grid grid-cols-2 gap-4">
        <Field
          label="From"
          type="time"
          required
          value={from}
          onChange={({ target }) => setFrom(target.value)}
        />
        <Field
          label="Until"
          type="time"
          required
          value={until}
          onChange={({ target }) => setUntil(target.value)}
        />
      </div>
      <p className="text-sm text-quiet">
        {isOvernight ? "It ends on the day after." : "It ends on the same day."} Singapore time.
      </p>
      <Trouble words={planning.error ? refusalWords(planning.error) : null} className="empty:hidden" />
      <Button type="submit" unavailable={planning.isPending} className={`${STRONG} justify-self-start`}>
        Plan it
      </Button>
      <p role="status" className="text-sm text-quiet empty:hidden">
        {planning.isSuccess ? "It is planned." : ""}
      </p>
    </form>
  );
}
