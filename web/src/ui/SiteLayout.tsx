/** The frame of every page: skip links, logo, exit button, emergency numbers; then the page. */
import { Suspense, useEffect, useRef } from "react";
import { Link, Outlet, useLocation, useNavigationType } from "react-router";
import { Logo } from "../brand/Logo.tsx";
import { paths } from "../paths.ts";
import { EmergencyBar } from "./EmergencyBar.tsx";
import { EXIT_LINK_ID, ExitThisPage } from "./ExitThisPage.tsx";
import { PageBoundary } from "./PageBoundary.tsx";

const SKIP_LINK =
  "sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-surface focus:px-4 focus:py-3 focus:text-ink";

export function SiteLayout() {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const move = useNavigationType();
  const shown = useRef(pathname);

  // After a move within the site the focus goes to the new page, as it would on a full load; and to
  // its top, unless it was a move back.
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus({ preventScroll: true });
    if (move !== "POP") window.scrollTo(0, 0);
  }, [pathname, move]);

  return (
    <>
      <a href="#main" className={SKIP_LINK}>
        Skip to the page
      </a>
      <a href={`#${EXIT_LINK_ID}`} className={SKIP_LINK}>
        Skip to Exit this page
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-paper">
        <div className="mx-auto flex max-w-[86rem] items-center justify-between gap-4 px-4 py-2 sm:px-6">
          <Link to={paths.landing} className="inline-flex min-h-11 items-center rounded-control">
            <Logo />
          </Link>
          <ExitThisPage />
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
    </>
  );
}
