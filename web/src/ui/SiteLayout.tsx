/** The frame of every page: skip links, top bar, exit button, emergency numbers; the page; the site's pages, the safety notice. */
import { Suspense, useEffect, useRef } from "react";
import { Link, Outlet, useLocation, useNavigationType } from "react-router";
import { ExitLink, ExitThisPage } from "../exit/ExitThisPage.tsx";
import { EmergencyBar } from "./EmergencyBar.tsx";
import { PageBoundary } from "./PageBoundary.tsx";
import { barOf } from "./page-bars.tsx";
import { SafetyNotice } from "./SafetyNotice.tsx";
import { SitePages } from "./SitePages.tsx";

const SKIP_LINK =
  "sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-surface focus:px-4 focus:py-3 focus:text-ink";

export function SiteLayout() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const move = useNavigationType();
  const shown = useRef(pathname);
  const bar = barOf(pathname);

  // After a move within the site the focus goes to the new page, as it would on a full load; and to
  // its top, unless it was a move back.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
    if (move !== "POP") window.scrollTo({ top: 0, behavior: "instant" });
  }, [pathname, move]);

  return (
    <>
      <nav aria-label="Skip links">
        <a href="#main" className={SKIP_LINK}>
          Skip to the page
        </a>
        <ExitLink className={SKIP_LINK} />
      </nav>
      <header className={`sticky top-0 z-30 border-b border-line text-ink ${bar.colour}`}>
        <div className="mx-auto flex max-w-[86rem] items-center justify-between gap-2 px-4 py-2 sm:px-6">
          <div className="min-w-0 items-center gap-x-6 sm:flex">
            <Link to={bar.home} className="inline-flex min-h-11 items-center rounded-control">
              {bar.sign}
            </Link>
            {bar.beside}
          </div>
          <div className="flex shrink-0 items-center gap-2 sm:gap-4">
            {bar.action}
            <ExitThisPage />
          </div>
        </div>
      </header>
      <EmergencyBar />
      <main id="main" ref={main} tabIndex={-1} className="outline-none">
        <PageBoundary key={pathname}>
          <Suspense fallback={<div className="min-h-svh" />}>
            <Outlet />
          </Suspense>
        </PageBoundary>
      </main>
      <footer className="border-t border-line">
        <div className="mx-auto grid max-w-[86rem] gap-y-4 px-4 py-8 sm:px-6">
          <SitePages pathname={pathname} />
          <SafetyNotice />
        </div>
      </footer>
    </>
  );
}
