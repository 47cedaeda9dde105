/** The call library is loaded with the figures of the platform's own client. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { LOAD_AGAIN_AFTER_MS, LOAD_ATTEMPTS, LOAD_WITHIN_MS } from "./figures.ts";
import { loadCallLibrary } from "./load-call-library.ts";
import type { CreateRoom } from "./room.ts";

const LIBRARY = (() => {}) as unknown as CreateRoom;
const unfailing = () => new AbortController().signal;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("the figures are those of the platform's own client", () => {
  expect([LOAD_ATTEMPTS, LOAD_AGAIN_AFTER_MS, LOAD_WITHIN_MS]).toEqual([3, 3000, 20_000]);
});

it("a library that loads is there at once", async () => {
  const load = vi.fn(async () => LIBRARY);
  expect(await loadCallLibrary(unfailing(), load)).toBe(LIBRARY);
  expect(load).toHaveBeenCalledTimes(1);
});

it("one that fails is tried three times, three seconds apart, and then told", async () => {
  const load = vi.fn(async (): Promise<CreateRoom> => {
    throw new Error("no such file");
  });
  const loaded = loadCallLibrary(unfailing(), load).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(LOAD_AGAIN_AFTER_MS - 1);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(LOAD_AGAIN_AFTER_MS);
  expect(load).toHaveBeenCalledTimes(3);
  expect(await loaded).toMatchObject({ trouble: "platform-unreachable" });
});

it("one that does not answer has twenty seconds, and may answer the next time", async () => {
  const load = vi
    .fn<() => Promise<CreateRoom>>()
    .mockReturnValueOnce(new Promise(() => {}))
    .mockResolvedValueOnce(LIBRARY);
  const loaded = loadCallLibrary(unfailing(), load);
  await vi.advanceTimersByTimeAsync(LOAD_WITHIN_MS + LOAD_AGAIN_AFTER_MS - 1);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await loaded).toBe(LIBRARY);
});

it("nothing more is tried once the call was given up", async () => {
  const given = new AbortController();
  const load = vi.fn(async (): Promise<CreateRoom> => {
    throw new Error("no such file");
  });
  const loaded = loadCallLibrary(given.signal, load).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(0);
  given.abort();
  expect(await loaded).toMatchObject({ name: "AbortError" });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(load).toHaveBeenCalledTimes(1);
});
