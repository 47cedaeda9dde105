/** The site's pages, at the foot of each, so that every one can be found from every other. */
import { Link } from "react-router";
import { paths } from "../paths.ts";

const PAGES = [
  [paths.landing, "About Nightlight"],
  [paths.demo, "Nightlight demo"],
  [paths.companion, "About Candle"],
  [paths.candle, "Candle preview"],
] as const;

export function SitePages({ pathname }: { pathname: string }) {
  const shown = pathname.toLowerCase().replace(/(.)\/+$/, "$1");
  return (
    <nav aria-label="Pages">
      <ul className="flex flex-wrap gap-x-8">
        {PAGES.map(([to, name]) => (
          <li key={to}>
            <Link to={to} aria-current={to === shown ? "page" : undefined} className="quiet-link text-sm">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
