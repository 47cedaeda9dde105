/** The emergency numbers, in the same place on every page. */
import { EMERGENCY_NUMBERS } from "./emergency-numbers.ts";

/** For links that lead up to the numbers from where the page has been scrolled away from them. */
export const EMERGENCY_BAR_ID = "emergency-numbers";

export function EmergencyBar() {
  return (
    <aside
      id={EMERGENCY_BAR_ID}
      tabIndex={-1}
      aria-label="Emergency numbers"
      className="border-b border-line bg-raised text-ink outline-none"
    >
      {/* In lines as words are, so that the question shares the first line with the first numbers. */}
      <div className="mx-auto max-w-[86rem] px-4 sm:px-6">
        <p className="mr-4 inline-block text-sm font-bold">In danger?</p>
        <ul className="inline">
          {EMERGENCY_NUMBERS.map(({ number, who, href }) => (
            <li key={number} className="mr-4 inline-block last:mr-0 sm:mr-5">
              <a
                href={href}
                className="inline-flex min-h-11 items-center gap-1.5 text-sm underline-offset-4 hover:underline"
              >
                <strong className="font-bold whitespace-nowrap">{number}</strong> <span>{who}</span>
              </a>
            </li>
          ))}
        </ul>
      </div>
    </aside>
  );
}
