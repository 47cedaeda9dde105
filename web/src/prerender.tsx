/** Renders a page to markup, for the build (`build/prerender.ts`). The browser's entry is `main.tsx`. */
import { StrictMode } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { StaticRouter } from "react-router";
import { SiteRoutes } from "./routes.tsx";

export async function renderPage(path: string): Promise<string> {
  let failure: unknown;
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <StaticRouter location={path}>
        <SiteRoutes />
      </StaticRouter>
    </StrictMode>,
    {
      // Each page whole and in place: parts that a script moves into place could not be read without one.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        failure ??= error;
      },
    },
  );
  let markup = "";
  for await (const piece of prelude) markup += piece;
  if (failure) throw failure;
  return markup;
}
