/**
 * What `/Demo` shows only when it is asked for. It is fetched once the page has come to rest, so that it
 * comes at once, also when the server is gone by then.
 */
import { lazy } from "react";
import { left } from "../../call/leaving.ts";

const callLogPanel = () => import("./CallLogPanel.tsx");
const microphoneCheck = () => import("./MicrophoneCheck.tsx");

export const CallLogPanel = lazy(async () => ({ default: (await callLogPanel()).CallLogPanel }));
export const MicrophoneCheck = lazy(async () => ({ default: (await microphoneCheck()).MicrophoneCheck }));

/** Returns what takes it back. */
export function fetchWhenIdle(): () => void {
  const fetchAll = () => {
    if (left.aborted) return;
    // What cannot be fetched now is asked for again when it is wanted.
    for (const fetchOne of [callLogPanel, microphoneCheck]) void fetchOne().catch(() => undefined);
  };
  // Safari has no idle callbacks.
  if (typeof requestIdleCallback === "undefined") {
    const timer = setTimeout(fetchAll, 1000);
    return () => clearTimeout(timer);
  }
  const callback = requestIdleCallback(fetchAll);
  return () => cancelIdleCallback(callback);
}
