/** The routes. Each page is its own chunk of script, loaded when its route is first met. */
import type { RouteObject } from "react-router";
import { NotFoundPage } from "./pages/NotFoundPage.tsx";
import { paths } from "./paths.ts";
import { SiteLayout } from "./ui/SiteLayout.tsx";

export const routes: RouteObject[] = [
  {
    element: <SiteLayout />,
    errorElement: <NotFoundPage />,
    // Shown for the moment until the first page's script is there.
    hydrateFallbackElement: null,
    children: [
      {
        path: paths.landing,
        lazy: async () => ({ Component: (await import("./pages/landing/LandingPage.tsx")).LandingPage }),
      },
      {
        path: paths.demo,
        lazy: async () => ({ Component: (await import("./pages/demo/DemoRoute.tsx")).DemoRoute }),
      },
      { path: "*", element: <NotFoundPage /> },
    ],
  },
];
