/** For a path that leads nowhere: the numbers to ring, and ways on. */
import { Link } from "react-router";
import { paths } from "../paths.ts";
import { EmergencyList } from "../ui/EmergencyList.tsx";
import { PageHead } from "../ui/PageHead.tsx";

export function NotFoundPage() {
  return (
    <div className="mx-auto max-w-2xl px-4 py-16 sm:px-6">
      <PageHead
        title="Page not found – Nightlight"
        description="There is nothing at this address. The numbers to ring in an emergency, and ways on."
      />
      <h1 className="font-serif text-display font-medium">There is nothing at this address</h1>
      <p className="mt-4 text-lg text-quiet">
        The link may be old, or a letter may be missing. If you came here for help, these lines are open now.
      </p>
      <div className="mt-8">
        <EmergencyList />
      </div>
      <p className="mt-10 flex flex-wrap gap-x-8 gap-y-2">
        <Link
          to={paths.landing}
          className="inline-flex min-h-11 items-center font-semibold text-link underline underline-offset-4"
        >
          Go to the start page
        </Link>
        <Link
          to={paths.demo}
          className="inline-flex min-h-11 items-center font-semibold text-link underline underline-offset-4"
        >
          Talk to Nightlight
        </Link>
      </p>
    </div>
  );
}
