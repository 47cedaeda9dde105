/** Who did what at the desk, for auditors: the latest first, older ones on demand. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { fetchAudit } from "../../desk/desk-api.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import { formatDate } from "../../records/format.ts";
import { Button } from "../../ui/Button.tsx";
import { PAGE, PLAIN } from "./desk-style.ts";
import { Trouble } from "./Trouble.tsx";

export function AuditTrail() {
  const { data, error, isFetchingNextPage, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ["audit"],
    queryFn: ({ pageParam }) => fetchAudit(pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    retry: false,
  });
  const entries = data?.pages.flatMap((page) => page.entries);
  return (
    <div className={`${PAGE} grid gap-6 py-6`}>
      <title>Audit trail – Duty desk</title>
      <h1 className="font-serif text-section font-medium">Audit trail</h1>
      <Trouble words={error ? refusalWords(error) : null} className="empty:hidden" />
      {!entries && !error && (
        <p role="status" className="text-quiet">
          Reading the audit trail
        </p>
      )}
      {entries && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          aria-label="Audit trail"
          className="relative overflow-x-auto"
        >
          <table className="w-full min-w-[44rem] text-left tabular-nums">
            <thead>
              <tr className="border-b-2 border-line-strong text-sm text-quiet">
                {["Number", "When", "Who", "What", "About"].map((title) => (
                  <th key={title} scope="col" className="py-2.5 pr-6 font-semibold">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {entries.map(({ number, at, who, what, about, name }) => (
                <tr key={number} className="align-top">
                  <td className="py-2 pr-6">{number}</td>
                  <td className="py-2 pr-6 whitespace-nowrap">
                    {at && <time dateTime={at}>{formatDate(at)}</time>}
                  </td>
                  <td className="py-2 pr-6">
                    <span className="first-letter:uppercase">{name ?? who}</span>
                    {name && <span className="block text-sm text-quiet">{who}</span>}
                  </td>
                  <td className="py-2 pr-6">
                    <span className="inline-block first-letter:uppercase">{what}</span>
                  </td>
                  <td className="py-2 text-sm text-quiet [overflow-wrap:anywhere]">{about}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {entries && hasNextPage && (
        <Button
          unavailable={isFetchingNextPage}
          className={`${PLAIN} justify-self-start`}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? "Reading older entries" : "Older entries"}
        </Button>
      )}
    </div>
  );
}
