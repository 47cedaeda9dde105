/** The real dashboard, taken by `make pictures`: by day or by night, wide or narrow, as the visitor's screen is. */
import narrowDark from "../../brand/screens/dashboard-narrow-dark.webp";
import narrowLight from "../../brand/screens/dashboard-narrow-light.webp";
import wideDark from "../../brand/screens/dashboard-wide-dark.webp";
import wideLight from "../../brand/screens/dashboard-wide-light.webp";

const NARROW = "(width < 40rem)";
const DARK = "(prefers-color-scheme: dark)";

export function DashboardPicture() {
  return (
    <picture>
      <source media={`${NARROW} and ${DARK}`} srcSet={narrowDark} width={800} height={1280} />
      <source media={NARROW} srcSet={narrowLight} width={800} height={1280} />
      <source media={DARK} srcSet={wideDark} />
      <img
        src={wideLight}
        alt="The dashboard: the history of calls, urgent ones first, each with its urgency, agency and short description."
        width={1440}
        height={900}
        loading="lazy"
        className="mt-10 h-auto w-full rounded-panel border border-line bg-surface shadow-lifted"
      />
    </picture>
  );
}
