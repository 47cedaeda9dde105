/** The emergency numbers with when to choose which, for the moments when nothing else on the page helps. */
import { EMERGENCY_NUMBERS } from "./emergency-numbers.ts";

export function EmergencyList() {
  return (
    <ul aria-label="Numbers to ring now" className="divide-y divide-line">
      {EMERGENCY_NUMBERS.map(({ number, who, agency, when, href }) => (
        <li key={number}>
          <a
            href={href}
            className="group grid min-h-12 grid-cols-[8.5rem_1fr] items-baseline gap-x-4 py-2 text-ink max-[24rem]:grid-cols-1"
          >
            <strong className="text-lg font-bold whitespace-nowrap underline decoration-line-strong underline-offset-4 group-hover:decoration-2">
              {number}
            </strong>{" "}
            <span className="text-sm text-pretty">
              <span className="font-semibold">{who}.</span> {when}.
              {agency && <span className="block text-quiet">{agency}</span>}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
