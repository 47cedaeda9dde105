/**
 * The real call library, as far as it goes without its vendor: it loads, makes a room with everything that a call uses of it,
 * and asks for its vendor's script. What is behind that script, a live key alone shows (docs/hosted.md).
 */
import type { DailyEventObject } from "@daily-co/daily-js";
import { afterEach, beforeEach, expect, expectTypeOf, it, vi } from "vitest";
import { LOAD_AGAIN_AFTER_MS, LOAD_ATTEMPTS, LOAD_WITHIN_MS } from "./figures.ts";
import { loadCallLibrary } from "./load-call-library.ts";
import type { Room, RoomEvents } from "./room.ts";

const METHODS: readonly (keyof Room)[] = [
  "on",
  "join",
  "leave",
  "destroy",
  "participants",
  "updateParticipant",
  "sendAppMessage",
  "setLocalAudio",
  "updateInputSettings",
  "startRemoteParticipantsAudioLevelObserver",
];

let room: Room;

/** A browser, as far as the library looks whether it is in one. */
function inABrowser(): void {
  vi.stubGlobal("MediaStreamTrack", class {});
  vi.stubGlobal("RTCPeerConnection", class {});
  const chromium =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(chromium);
  const devices = {
    getUserMedia: () => {},
    enumerateDevices: async () => [],
    addEventListener: () => {},
    removeEventListener: () => {},
  };
  Object.defineProperty(navigator, "mediaDevices", { value: devices, configurable: true });
}

beforeEach(async () => {
  inABrowser();
  const create = await loadCallLibrary(new AbortController().signal);
  vi.useFakeTimers();
  vi.spyOn(console, "error").mockImplementation(() => {});
  room = create({
    allowMultipleCallInstances: true,
    audioSource: true,
    videoSource: false,
    dailyConfig: { avoidEval: true },
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await room.destroy();
  vi.unstubAllGlobals();
});

it("has everything that a call uses of it", () => {
  for (const method of METHODS) expect(room[method], method).toBeTypeOf("function");
});

it("tells of its events what a call reads of them", () => {
  type LibraryEvents = { [Name in keyof RoomEvents]: DailyEventObject<Name> };
  expectTypeOf<LibraryEvents>().toExtend<RoomEvents>();
});

it("asks for its vendor's script as a file, and gives up after its tries", async () => {
  const asked: string[] = [];
  const watcher = new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes) if (node instanceof HTMLScriptElement) asked.push(node.src);
  });
  watcher.observe(document.head, { childList: true });
  const joined = room
    .join({ url: "https://vapi.daily.co/room", subscribeToTracksAutomatically: false })
    .then(() => "joined")
    .catch(() => "given up");
  // Nothing answers: here no script is ever loaded.
  await vi.advanceTimersByTimeAsync(
    LOAD_ATTEMPTS * LOAD_WITHIN_MS + (LOAD_ATTEMPTS - 1) * LOAD_AGAIN_AFTER_MS,
  );
  expect(await joined).toBe("given up");
  watcher.disconnect();
  const script = "https://c.daily.co/call-machine/versioned/0.87.0/static/call-machine-object-bundle.js";
  expect(asked).toEqual(Array(LOAD_ATTEMPTS).fill(script));
});
