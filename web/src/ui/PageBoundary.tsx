/** Stands in for a page that failed or could not be loaded: whom to ring now, and a way to try again. */
import { Component, type ReactNode } from "react";
import { failed } from "../faults/watch-faults.ts";
import { EmergencyList } from "./EmergencyList.tsx";
import { PageHead } from "./PageHead.tsx";

const HEADING = "This page could not be shown";

export class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  /** React has written it to the console. Nobody would hear of it there. */
  override componentDidCatch(error: unknown) {
    failed(error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className="mx-auto max-w-2xl px-4 py-16 sm:px-6">
        <PageHead title={`${HEADING} – Nightlight`} description="These lines are open now." />
        <h1 className="font-serif text-display font-medium">{HEADING}</h1>
        <p className="mt-4 text-lg text-quiet">
          Something is wrong on our side. If you came here for help, these lines are open now.
        </p>
        <div className="mt-8">
          <EmergencyList />
        </div>
        <button
          type="button"
          onClick={() => window.location.reload()}
          className="mt-10 min-h-11 rounded-control border-2 border-ink px-5 font-semibold"
        >
          Load it again
        </button>
      </div>
    );
  }
}
