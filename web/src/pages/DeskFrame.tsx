/** The desk's frame: its sign, its places, who is signed in. It stands apart from the public pages. */
import type { ReactNode } from "react";
import { Logo } from "../brand/Logo.tsx";
import { PageBoundary } from "../ui/PageBoundary.tsx";
import { PAGE } from "./desk/desk-style.ts";

interface DeskFrameProps {
  places?: ReactNode;
  account?: ReactNode;
  children: ReactNode;
}

export function DeskFrame({ places, account, children }: DeskFrameProps) {
  return (
    <>
      <title>Duty desk – Nightlight</title>
      <meta
        name="description"
        content="The duty desk of Nightlight, for duty officers and their supervisors."
      />
      <meta name="robots" content="noindex" />
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-control focus:bg-surface focus:px-4 focus:py-3 focus:text-ink"
      >
        Skip to the desk
      </a>
      <header className="top-0 z-30 border-b sm:sticky border-line bg-paper text-ink print:hidden">
        <div className={`${PAGE} flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2`}>
          <p className="inline-flex min-h-11 items-center gap-3">
            <Logo />
            <span className="border-l border-line pl-3 text-sm text-quiet">Duty desk</span>
          </p>
          {places}
          {account}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="min-h-svh outline-none">
        <PageBoundary>{children}</PageBoundary>
      </main>
    </>
  );
}
