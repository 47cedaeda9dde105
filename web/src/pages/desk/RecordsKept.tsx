/** What is kept of a caller, handed over to them on request; and what is left of records that were deleted. */
import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { fetchReceipts, requestAccess } from "../../desk/case-api.ts";
import type { AccessRequest } from "../../desk/case-contract.ts";
import { RECEIPTS } from "../../desk/case-queries.ts";
import { FORGOTTEN_WHY, kindsWords } from "../../desk/case-words.ts";
import { refusalWords } from "../../desk/refusal-words.ts";
import { formatDate } from "../../records/format.ts";
import { Button } from "../../ui/Button.tsx";
import { download } from "../../ui/download.ts";
import { PAGE, PLAIN, STRONG } from "./desk-style.ts";
import { Field } from "./Field.tsx";
import { TickField } from "./TickField.tsx";
import { Trouble } from "./Trouble.tsx";

export function RecordsKept() {
  return (
    <div className={`${PAGE} grid gap-10 py-6`}>
      <title>Records – Duty desk</title>
      <div>
        <h1 className="font-serif text-section font-medium">Records</h1>
        <p className="mt-1 text-quiet">What is kept of a caller, and what is left of what was deleted.</p>
      </div>
      <AccessForm />
      <Receipts />
    </div>
  );
}

type By = "number" | "call";

function AccessForm() {
  const [by, setBy] = useState<By>("number");
  const [of, setOf] = useState("");
  const asking = useMutation({
    mutationFn: async (request: AccessRequest) => {
      const { name, file } = await requestAccess(request);
      if (await isOfNobody(file)) return NOTHING_KEPT;
      download(name ?? "access-request.json", file);
      return HAND_IT_OVER;
    },
  });
  const submitted = (event: FormEvent) => {
    event.preventDefault();
    const given = of.trim();
    if (!asking.isPending) asking.mutate(by === "number" ? { callerNumber: given } : { callId: given });
  };
  return (
    <section aria-labelledby="access" className="grid max-w-2xl gap-4">
      <div>
        <h2 id="access" className="text-lg font-bold">
          Access request
        </h2>
        <p>
          A caller may ask what is kept about them. The file holds all of it: calls, notes, transcripts and
          what was done. Make sure first that the number is the caller’s own.
        </p>
      </div>
      <form onSubmit={submitted} aria-labelledby="access" className="grid gap-3">
        <fieldset className="flex flex-wrap gap-x-8">
          <legend className="font-semibold">Look for them by</legend>
          <TickField type="radio" name="by" checked={by === "number"} onChange={() => setBy("number")}>
            The number they gave
          </TickField>
          <TickField type="radio" name="by" checked={by === "call"} onChange={() => setBy("call")}>
            The id of one of their calls
          </TickField>
        </fieldset>
        <Field
          key={by}
          label={by === "number" ? "Caller’s number" : "Call id"}
          type={by === "number" ? "tel" : "text"}
          value={of}
          onChange={({ target }) => setOf(target.value)}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <Trouble words={asking.error ? refusalWords(asking.error) : null} className="empty:hidden" />
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" unavailable={asking.isPending} className={STRONG}>
            {asking.isPending ? "Putting it together" : "Download the file"}
          </Button>
          <p role="status" className="text-sm text-quiet">
            {asking.data}
          </p>
        </div>
      </form>
    </section>
  );
}

const NOTHING_KEPT = "Nothing is kept under this.";
const HAND_IT_OVER = "The file was downloaded. Hand it over by a safe way, then delete it.";

/** A file without cases is no use to anybody. */
async function isOfNobody(file: Blob): Promise<boolean> {
  try {
    const { cases } = JSON.parse(await file.text()) as { cases?: unknown };
    return Array.isArray(cases) && cases.length === 0;
  } catch {
    return false;
  }
}

function Receipts() {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: RECEIPTS,
    queryFn: ({ pageParam }) => fetchReceipts(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
  const receipts = data?.pages.flatMap((page) => page.receipts);
  return (
    <section aria-labelledby="receipts" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 id="receipts" className="text-lg font-bold">
          Receipts
        </h2>
        <p className="text-quiet">What was deleted, when and why. Nothing of its content is left.</p>
      </div>
      <Trouble words={error ? refusalWords(error) : null} className="empty:hidden" />
      {!receipts && !error && (
        <p role="status" className="text-quiet">
          Reading the receipts
        </p>
      )}
      {receipts?.length === 0 && <p className="text-quiet">Nothing has been deleted yet.</p>}
      {receipts && receipts.length > 0 && (
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          aria-label="Table of the receipts"
          className="relative overflow-x-auto"
        >
          <table className="w-full min-w-[56rem] text-left text-sm tabular-nums">
            <thead>
              <tr className="border-b-2 border-line-strong text-quiet">
                {["Deleted", "Call", "Why", "By", "What", "Hash"].map((title) => (
                  <th key={title} scope="col" className="py-2 pr-5 font-semibold">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {receipts.map(({ callId, deletedAt, why, who, kinds, hash }) => (
                <tr key={callId} className="align-top">
                  <td className="py-2 pr-5 whitespace-nowrap">
                    <time dateTime={deletedAt}>{formatDate(deletedAt)}</time>
                  </td>
                  <th scope="row" className="py-2 pr-5 font-normal">
                    {callId}
                  </th>
                  <td className="py-2 pr-5">{FORGOTTEN_WHY[why] ?? why}</td>
                  <td className="py-2 pr-5">
                    <span className="inline-block first-letter:uppercase">{who}</span>
                  </td>
                  <td className="py-2 pr-5">{kindsWords(kinds)}</td>
                  <td className="py-2 text-quiet" title={hash}>
                    <span aria-hidden="true">{hash.slice(0, 12)}…</span>
                    <span className="sr-only">{hash}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {hasNextPage && (
        <Button
          unavailable={isFetchingNextPage}
          className={`${PLAIN} justify-self-start`}
          onClick={() => void fetchNextPage()}
        >
          {isFetchingNextPage ? "Reading older receipts" : "Older receipts"}
        </Button>
      )}
    </section>
  );
}
