/** Notices that something in the page failed. What is done about it is loaded then. */
export function watchFaults(): void {
  addEventListener("error", ({ error }) => failed(error));
  addEventListener("unhandledrejection", ({ reason }) => failed(reason));
}

/** Also for what a part of the page caught, and shows something else in the place of. */
export function failed(error: unknown): void {
  // What cannot be told is not told of either.
  import("./tell-fault.ts").then(({ tellFault }) => tellFault(error)).catch(() => {});
}
