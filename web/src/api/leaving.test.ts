/** A page that is left asks nothing more: an answer could bring back the session it has just given up. */
import { fallSilent } from "../call/leaving.ts";
import { fetchCalls, watchCalls } from "./server.ts";

class Stream {
  static readonly opened: Stream[] = [];
  closed = false;
  constructor() {
    Stream.opened.push(this);
  }
  addEventListener() {}
  close() {
    this.closed = true;
  }
}

/** Answers nothing, and gives up when it is told to. */
const never = (_: Request, request?: RequestInit) =>
  new Promise<Response>((_, refuse) => {
    const { signal } = request ?? {};
    if (signal?.aborted) refuse(signal.reason);
    signal?.addEventListener("abort", () => refuse(signal.reason));
  });

test("requests are given up, the stream of events is closed, and neither begins again", async () => {
  vi.stubGlobal("EventSource", Stream);
  vi.stubGlobal("fetch", never);
  watchCalls(
    () => {},
    () => {},
  );
  const asked = expect(fetchCalls()).rejects.toMatchObject({ name: "AbortError" });
  fallSilent();
  await asked;
  await expect(fetchCalls()).rejects.toMatchObject({ name: "AbortError" });
  watchCalls(
    () => {},
    () => {},
  );
  expect(Stream.opened.map(({ closed }) => closed)).toEqual([true, true]);
});
