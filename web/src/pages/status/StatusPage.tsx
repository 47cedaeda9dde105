/** `/status`: how the line is, for operators. Whoever has no right to see it is told what to do. */
import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Refusal } from "../../api/client.ts";
import { fetchStatus } from "../../api/server.ts";
import { PageHead } from "../../ui/PageHead.tsx";
import { ForOperators } from "./ForOperators.tsx";
import { LineNow } from "./LineNow.tsx";

const EVERY_MS = 5_000;

export function StatusPage() {
  const [queryClient] = useState(() => new QueryClient());
  return (
    <QueryClientProvider client={queryClient}>
      <PageHead
        title="Status – Nightlight"
        description="How the line is, for those who run it: calls, lines, parts, and what went wrong of late."
      />
      <meta name="robots" content="noindex" />
      <div className="mx-auto max-w-[86rem] px-4 pt-10 pb-20 sm:px-6 sm:pt-14">
        <h1 className="font-serif text-display font-medium">How the line is</h1>
        <StatusNow />
        <noscript>
          <p className="mt-4">This page needs scripts. Without them, /api/status tells the same as JSON.</p>
        </noscript>
      </div>
    </QueryClientProvider>
  );
}

function StatusNow() {
  // In memory alone: it is gone with the page.
  const key = useRef<string>(undefined);
  const [keyGiven, setKeyGiven] = useState(false);
  const { data, error, isPending, dataUpdatedAt, refetch } = useQuery({
    queryKey: ["status"],
    queryFn: () => fetchStatus(key.current),
    refetchInterval: ({ state }) => (isRefusal(state.error) ? false : EVERY_MS),
    retry: false,
  });
  const ask = (given: string) => {
    key.current = given;
    refetch().finally(() => setKeyGiven(true));
  };
  if (isRefusal(error)) {
    return <ForOperators keyIsSet={error.status === 401} wrong={keyGiven} onKey={ask} />;
  }
  if (data) return <LineNow status={data} silentSince={error ? dataUpdatedAt : null} />;
  return (
    <p role="status" className="mt-6 text-lg text-quiet">
      {isPending ? "Asking the server" : "The server does not answer. It is asked again every five seconds."}
    </p>
  );
}

function isRefusal(error: Error | null): error is Refusal {
  return error instanceof Refusal && (error.status === 401 || error.status === 403);
}
