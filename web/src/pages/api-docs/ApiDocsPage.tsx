/** `/docs/api`: the server's description of its API, for people who write programs. No page leads here. */
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { PageHead } from "../../ui/PageHead.tsx";
import type { Description } from "./description.ts";
import { ReadableDescription } from "./ReadableDescription.tsx";

const ANSWER_WITHIN_MS = 20_000;

export function ApiDocsPage() {
  const [queryClient] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queryClient}>
      <PageHead
        title="The API – Nightlight"
        description="Every path of Nightlight’s API: what it does, which key it needs, what it takes and what it answers."
      />
      <meta name="robots" content="noindex" />
      <div className="mx-auto max-w-[86rem] px-4 pt-10 pb-20 sm:px-6 sm:pt-14">
        <h1 className="font-serif text-display font-medium">The API</h1>
        <DescriptionNow />
        <noscript>
          <p className="mt-4">This page needs scripts. Without them, /openapi.json tells the same as JSON.</p>
        </noscript>
      </div>
    </QueryClientProvider>
  );
}

function DescriptionNow() {
  const { data, isPending, refetch } = useQuery({
    queryKey: ["description"],
    queryFn: fetchDescription,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (data) return <ReadableDescription description={data} />;
  return (
    <div role="status" className="mt-6 text-lg text-quiet">
      {isPending ? (
        "Reading the description"
      ) : (
        <>
          <p>The server does not answer.</p>
          <button type="button" className="outline-button mt-4" onClick={() => void refetch()}>
            Ask again
          </button>
        </>
      )}
    </div>
  );
}

/** Not by the API's client: the description is of all paths but itself. */
async function fetchDescription(): Promise<Description> {
  const answer = await fetch("/openapi.json", { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  if (!answer.ok) throw new Error(`the description was answered with ${answer.status}`);
  return (await answer.json()) as Description;
}
