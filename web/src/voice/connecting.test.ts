/** For how long a connection is waited for, in virtual time. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CONNECTED_WITHIN_MS, type Connecting, connected, ROUTE_WITHIN_MS } from "./connecting.ts";

/** Whoever tells a connection's states by hand. */
class Connection extends EventTarget {
  connectionState: RTCPeerConnectionState = "connecting";
  iceConnectionState: RTCIceConnectionState = "checking";

  becomes(state: RTCPeerConnectionState): void {
    this.connectionState = state;
    this.dispatchEvent(new Event("connectionstatechange"));
  }
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What has become of it so far. */
function waitingFor(connection: Connection, signal = new AbortController().signal): () => string {
  let outcome = "waiting";
  connected(connection as Connecting, signal).then(
    () => {
      outcome = "connected";
    },
    () => {
      outcome = "given up";
    },
  );
  return () => outcome;
}

it("gives up in six seconds where no packet gets through", async () => {
  const outcome = waitingFor(new Connection());
  await vi.advanceTimersByTimeAsync(ROUTE_WITHIN_MS - 1);
  expect(outcome()).toBe("waiting");
  await vi.advanceTimersByTimeAsync(1);
  expect(outcome()).toBe("given up");
});

it("waits on where packets get through and many are lost", async () => {
  const connection = new Connection();
  const outcome = waitingFor(connection);
  connection.iceConnectionState = "connected";
  await vi.advanceTimersByTimeAsync(CONNECTED_WITHIN_MS - 1);
  expect(outcome()).toBe("waiting");
  connection.becomes("connected");
  await vi.advanceTimersByTimeAsync(0);
  expect(outcome()).toBe("connected");
  expect(vi.getTimerCount(), "nothing is left waiting").toBe(0);
});

it("gives up in the end there too", async () => {
  const connection = new Connection();
  const outcome = waitingFor(connection);
  connection.iceConnectionState = "connected";
  await vi.advanceTimersByTimeAsync(CONNECTED_WITHIN_MS);
  expect(outcome()).toBe("given up");
});

it("gives up at once where the connection fails, and where nobody waits for it any more", async () => {
  const connection = new Connection();
  const failed = waitingFor(connection);
  connection.becomes("failed");
  const left = new AbortController();
  const abandoned = waitingFor(new Connection(), left.signal);
  left.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect([failed(), abandoned()]).toEqual(["given up", "given up"]);
});
