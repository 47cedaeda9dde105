/** What the morning team gets: the dashboard as it is, and what it is good for. */
import { Link } from "react-router";
import { paths } from "../../paths.ts";
import { ArrowIcon } from "../../ui/public-icons.tsx";
import { DashboardPicture } from "./DashboardPicture.tsx";

const INSIGHTS = [
  {
    header: "Call summaries",
    subtext: (
      <>
        Every call ends in a short clinical summary with a recommended{" "}
        <span className="whitespace-nowrap">follow-up</span>, and the transcript behind it to check.
      </>
    ),
  },
  {
    header: "Risk prioritisation",
    subtext:
      "High-risk calls are flagged when the caller's words point to danger, so that the urgent ones are read first.",
  },
  {
    header: "Safe data handling",
    subtext:
      "Nightlight is designed to keep personal data no longer than a case needs it, in line with the Personal Data Protection Act. The server deletes words and notes by itself a set time after the call: 30 days, unless its operator sets another. Sound is never kept.",
  },
] as const;

export function InsightsSection() {
  return (
    <section aria-labelledby="insights-heading" className="bg-raised py-20 sm:py-24">
      <div className="mx-auto max-w-[86rem] px-4 sm:px-6">
        <div className="flex flex-wrap items-end justify-between gap-x-10 gap-y-4">
          <h2 id="insights-heading" className="max-w-[22ch] font-serif text-section font-medium">
            The night, ready to read in the morning
          </h2>
          <Link to={paths.demo} className="text-way">
            Interact with our dashboard
            <ArrowIcon />
          </Link>
        </div>
        <DashboardPicture />
        <ul className="mt-12 grid gap-x-12 gap-y-8 md:grid-cols-3">
          {INSIGHTS.map(({ header, subtext }) => (
            <li key={header}>
              <h3 className="text-lg font-bold">{header}</h3>
              <p className="mt-1 max-w-[46ch] text-balance text-quiet">{subtext}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
