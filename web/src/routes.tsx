/** The routes. Each page is its own chunk of script, loaded when its route is first met. */
import { lazy } from "react";
import { Route, Routes } from "react-router";
import { NotFoundPage } from "./pages/NotFoundPage.tsx";
import { paths } from "./paths.ts";
import { SiteLayout } from "./ui/SiteLayout.tsx";

const LandingPage = lazy(async () => ({
  default: (await import("./pages/landing/LandingPage.tsx")).LandingPage,
}));
const DemoRoute = lazy(async () => ({ default: (await import("./pages/demo/DemoRoute.tsx")).DemoRoute }));

export function SiteRoutes() {
  return (
    <Routes>
      <Route element={<SiteLayout />}>
        <Route path={paths.landing} element={<LandingPage />} />
        <Route path={paths.demo} element={<DemoRoute />} />
        <Route path="*" element={<NotFoundPage />} />
      </Route>
    </Routes>
  );
}
