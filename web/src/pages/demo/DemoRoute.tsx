/** `/Demo` with the cache of what the server told it, which outlives the page while one moves about the site. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { DemoPage } from "./DemoPage.tsx";

const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: 1, refetchOnWindowFocus: false } },
});

export function DemoRoute() {
  return (
    <QueryClientProvider client={queryClient}>
      <DemoPage />
    </QueryClientProvider>
  );
}
