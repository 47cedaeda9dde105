/** The routes. Each page is its own chunk of script, loaded when its route is first met. */
import { lazy, Suspense } from "react";
import { Route, Routes } from "react-router";
import { paths } from "./paths.ts";
import { AfterHydration } from "./ui/AfterHydration.tsx";
import { SiteLayout } from "./ui/SiteLayout.tsx";

const LandingPage = lazy(async () => ({
  default: (await import("./pages/landing/LandingPage.tsx")).LandingPage,
}));
const CompanionPage = lazy(async () => ({
  default: (await import("./pages/companion/CompanionPage.tsx")).CompanionPage,
}));
const CandlePage = lazy(async () => ({
  default: (await import("./pages/candle/CandlePage.tsx")).CandlePage,
}));
const DemoShell = lazy(async () => ({ default: (await import("./pages/DemoShell.tsx")).DemoShell }));
const DemoRoute = lazy(async () => ({ default: (await import("./pages/demo/DemoRoute.tsx")).DemoRoute }));
const StatusPage = lazy(async () => ({
  default: (await import("./pages/status/StatusPage.tsx")).StatusPage,
}));
const ApiDocsPage = lazy(async () => ({
  default: (await import("./pages/api-docs/ApiDocsPage.tsx")).ApiDocsPage,
}));
const DeskShell = lazy(async () => ({ default: (await import("./pages/DeskShell.tsx")).DeskShell }));
const DeskRoute = lazy(async () => ({ default: (await import("./pages/desk/DeskRoute.tsx")).DeskRoute }));
const NotFoundPage = lazy(async () => ({ default: (await import("./pages/NotFoundPage.tsx")).NotFoundPage }));

export function SiteRoutes() {
  return (
    <Routes>
      <Route element={<SiteLayout />}>
        <Route path={paths.landing} element={<LandingPage />} />
        <Route path={paths.companion} element={<CompanionPage />} />
        <Route path={paths.candle} element={<CandlePage />} />
        <Route
          path={paths.demo}
          element={
            <>
              <meta
                name="description"
                content="Talk with Nightlight’s AI counsellor in this demonstration, and read the records of calls as a duty team would."
              />
              <AfterHydration before={<DemoShell />}>
                <Suspense fallback={<DemoShell />}>
                  <DemoRoute />
                </Suspense>
              </AfterHydration>
            </>
          }
        />
        <Route path={paths.status} element={<StatusPage />} />
        <Route path={paths.apiDocs} element={<ApiDocsPage />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
      {/* A workplace with a frame of its own: Shift, pressed three times, closes no desk. */}
      <Route
        path={paths.desk}
        element={
          <Suspense>
            <AfterHydration before={<DeskShell />}>
              <Suspense fallback={<DeskShell />}>
                <DeskRoute />
              </Suspense>
            </AfterHydration>
          </Suspense>
        }
      />
    </Routes>
  );
}
