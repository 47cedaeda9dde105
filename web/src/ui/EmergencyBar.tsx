/** The emergency numbers, in the same place on every page. */
import { EMERGENCY_NUMBERS } from "./emergency-numbers.ts";

export function EmergencyBar() {
  return (
    <aside aria-label="Emergency numbers" className="border-b border-line bg-raised text-ink">
      <div className="mx-auto flex max-w-[86rem] flex-wrap items-center gap-x-5 gap-y-0.5 px-4 py-1.5 sm:px-6">
        <p className="basis-full text-sm font-bold sm:basis-auto">In danger now?</p>
        <ul className="flex flex-wrap gap-x-5 gap-y-0.5">
          {EMERGENCY_NUMBERS.map(({ number, who, href }) => (
            <li key={number}>
              <a
                href={href}
                className="inline-flex min-h-8 items-center gap-1.5 text-sm underline-offset-4 hover:underline"
              >
                <strong className="font-bold whitespace-nowrap tabular-nums">{number}</strong>{" "}
                <span>{who}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}
