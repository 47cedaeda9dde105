/** Notices that something in the page failed. What is done about it is loaded then. */
export function watchFaults(): void {
  addEventListener("error", ({ error }) => failed(error));
  addEventListener("unhandledrejection", ({ reason }) => failed(reason));
}

/** Also for a part of the page that failed, and in whose place something else is shown. */
export function failed(error: unknown): void {
  // What cannot be told is not told of either.
  import("./tell-fault.ts").then(({ tellFault }) => tellFault(error)).catch(() => {});
}
