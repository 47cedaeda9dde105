/** Stands in for a page that failed or could not be loaded: whom to ring now, and a way to try again. */
import { Component, type ErrorInfo, type ReactNode } from "react";
import { EmergencyList } from "./EmergencyList.tsx";

export class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    console.error("the page failed", error, info.componentStack);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className="mx-auto max-w-2xl px-4 py-16 sm:px-6">
        <h1 className="font-serif text-display font-medium">This page could not be shown</h1>
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
