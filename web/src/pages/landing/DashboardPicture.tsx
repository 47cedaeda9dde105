/** The real dashboard, taken by `make pictures`; by day or by night as the visitor's screen is. */
import dark from "../../brand/screens/dashboard-dark.webp";
import light from "../../brand/screens/dashboard-light.webp";

export function DashboardPicture() {
  return (
    <picture>
      <source media="(prefers-color-scheme: dark)" srcSet={dark} />
      <img
        src={light}
        alt="The dashboard: a table of calls with their urgency, the agency each was brought to, and a short description."
        width={1600}
        height={1000}
        loading="lazy"
        className="mt-10 h-auto w-full rounded-panel border border-line shadow-lifted"
      />
    </picture>
  );
}
