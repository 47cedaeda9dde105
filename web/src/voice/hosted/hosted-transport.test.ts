/** A call in a room of the hosted platform: joined, heard, muted, and ended once. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ASSISTANT, CALLER, InMemoryRoom, LISTENER } from "../testing/in-memory-room.ts";
import { VoiceClient } from "../voice-client.ts";
import { VoiceError } from "../voice-error.ts";
import type { WebCall } from "../web-call.ts";
import { HostedTransport } from "./hosted-transport.ts";

const CALL: WebCall = { id: "call-1", webCallUrl: "https://vapi.daily.co/room-1", heldBy: "hosted" };
const TRACK = { kind: "audio" } as MediaStreamTrack;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface HostedCall {
  client: VoiceClient;
  room: InMemoryRoom;
  /** Every event so far, by name, with its arguments. Volume and progress are left out. */
  events: [name: string, ...args: unknown[]][];
  /** Whether the assistant's sound is heard. */
  sounds(): boolean;
  started: Promise<WebCall | null>;
}

/** A call on the hosted platform, as a page starts it, up to where the room is joined. */
async function joinedCall(change: { call?: Partial<WebCall>; deviceId?: string; room?: InMemoryRoom } = {}) {
  const room = change.room ?? new InMemoryRoom();
  let sounding = 0;
  const parts = {
    loadCallLibrary: async () => room.create,
    play: async () => {
      sounding++;
      return () => {
        sounding--;
      };
    },
  };
  const microphone = {
    stream: {} as MediaStream,
    deviceId: change.deviceId ?? null,
    muted: false,
    level: () => 0,
    close: () => {},
  };
  const client = new VoiceClient({
    openMicrophone: async () => microphone,
    createCall: async () => ({ ...CALL, ...change.call }),
    askServer: async () => "there",
    transportsOf: () => [() => new HostedTransport(parts)],
    isMobile: false,
  });
  const events: HostedCall["events"] = [];
  for (const name of ["call-start", "line-lost", "line-restored", "call-end", "message", "error"] as const) {
    client.on(name, (...args: unknown[]) => events.push([name, ...args]));
  }
  for (const name of ["speech-start", "speech-end"] as const) client.on(name, () => events.push([name]));
  const started = client.start({ squad: "squad-1" });
  await vi.advanceTimersByTimeAsync(0);
  return { client, room, events, sounds: () => sounding > 0, started } satisfies HostedCall;
}

async function startedCall(change?: Parameters<typeof joinedCall>[0]): Promise<HostedCall> {
  const call = await joinedCall(change);
  call.room.tell("app-message", { data: "listening" });
  await call.started;
  return call;
}

const names = ({ events }: HostedCall) => events.map(([name]) => name);

describe("joining", () => {
  it("joins the call's room with the checked microphone and without a picture", async () => {
    const { room } = await joinedCall({ deviceId: "headset" });
    expect(room.options).toEqual({
      allowMultipleCallInstances: true,
      audioSource: "headset",
      videoSource: false,
      dailyConfig: { avoidEval: true },
    });
    expect(room.joinedWith).toEqual({
      url: "https://vapi.daily.co/room-1",
      subscribeToTracksAutomatically: false,
    });
  });

  it("takes the browser's own microphone where none was chosen, and the room's token where there is one", async () => {
    const { room } = await joinedCall({ deviceId: "", call: { transport: { callToken: "t" } } });
    expect(room.options?.audioSource).toBe(true);
    expect(room.joinedWith?.token).toBe("t");
  });

  it("begins when the assistant is listening", async () => {
    const call = await joinedCall();
    expect(names(call)).toEqual([]);
    call.room.tell("app-message", { data: "listening" });
    expect(await call.started).toMatchObject({ id: "call-1" });
    expect(names(call)).toEqual(["call-start"]);
  });

  it("hears everyone but the caller, whoever came first", async () => {
    const room = new InMemoryRoom();
    room.there = { local: CALLER, listener: LISTENER };
    await joinedCall({ room });
    room.tell("participant-joined", { participant: ASSISTANT });
    room.tell("participant-joined", { participant: CALLER });
    expect(room.subscribed).toEqual(["listener", "assistant"]);
  });

  it("asks for the noise canceller, and for levels every 100 ms", async () => {
    const { room } = await joinedCall();
    expect(room.processors).toEqual(["noise-cancellation"]);
    expect(room.observedEvery).toBe(100);
  });

  it("goes on without either where the library has none", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const room = new InMemoryRoom();
    room.updateInputSettings = () => Promise.reject(new Error("no canceller"));
    room.startRemoteParticipantsAudioLevelObserver = () => Promise.reject(new Error("no levels"));
    const call = await startedCall({ room });
    expect(names(call)).toEqual(["call-start"]);
  });

  it("lets an assistant that waits for a recording speak, and records nothing", async () => {
    const { room } = await joinedCall({ call: { artifactPlan: { videoRecordingEnabled: true } } });
    expect(room.sent).toEqual([
      '{"type":"control","control":"say-first-message","videoRecordingStartDelaySeconds":0}',
    ]);
  });

  it("tells that the platform cannot be reached when the room cannot be joined", async () => {
    const room = new InMemoryRoom();
    room.refuses = new Error("Failed to load call object bundle");
    const call = await joinedCall({ room });
    expect(await call.started).toBeNull();
    expect(call.events).toEqual([["error", expect.objectContaining({ trouble: "platform-unreachable" })]]);
    expect(room.destroyed).toBe(1);
  });

  it("tells that the call is refused when there is no such room", async () => {
    const room = new InMemoryRoom();
    room.refuses = { type: "no-room" };
    const call = await joinedCall({ room });
    expect(await call.started).toBeNull();
    expect(call.events).toEqual([["error", expect.objectContaining({ trouble: "call-refused" })]]);
  });

  it("can be given up while the library loads and while the room is joined", async () => {
    const room = new InMemoryRoom();
    room.hangs = true;
    const call = await joinedCall({ room });
    await call.client.stop();
    expect(await call.started).toBeNull();
    expect(names(call)).toEqual([]);
    expect(room.destroyed).toBe(1);
  });
});

describe("the assistant's sound", () => {
  it("is played, and the platform told that it can be", async () => {
    const call = await joinedCall();
    call.room.tell("track-started", { participant: ASSISTANT, track: TRACK });
    await vi.advanceTimersByTimeAsync(0);
    expect(call.sounds()).toBe(true);
    expect(call.room.sent).toEqual(["playable"]);
  });

  it("is nobody else's, and no picture", async () => {
    const call = await joinedCall();
    for (const participant of [CALLER, LISTENER, null])
      call.room.tell("track-started", { participant, track: TRACK });
    call.room.tell("track-started", {
      participant: ASSISTANT,
      track: { kind: "video" } as MediaStreamTrack,
    });
    await vi.advanceTimersByTimeAsync(0);
    expect(call.sounds()).toBe(false);
    expect(call.room.sent).toEqual([]);
  });

  it("is silent once the assistant or the caller has left", async () => {
    const call = await startedCall();
    call.room.tell("track-started", { participant: ASSISTANT, track: TRACK });
    await vi.advanceTimersByTimeAsync(0);
    call.room.tell("participant-left", { participant: LISTENER });
    expect(call.sounds()).toBe(true);
    call.room.tell("participant-left", { participant: ASSISTANT });
    expect(call.sounds()).toBe(false);
    call.room.tell("track-started", { participant: ASSISTANT, track: TRACK });
    await vi.advanceTimersByTimeAsync(0);
    await call.client.stop();
    expect(call.sounds()).toBe(false);
  });

  it("is told as volume and speech, by the sum of what is heard", async () => {
    const call = await startedCall();
    const volumes: number[] = [];
    call.client.on("volume-level", (volume) => volumes.push(volume));
    const heard = (...levels: number[]) =>
      call.room.tell("remote-participants-audio-level", {
        participantsAudioLevel: Object.fromEntries(levels.map((level, i) => [`p${i}`, level])),
      });
    heard(0.05, 0.025);
    await vi.advanceTimersByTimeAsync(100);
    heard(0.2);
    await vi.advanceTimersByTimeAsync(100);
    heard(0.01);
    await vi.advanceTimersByTimeAsync(900);
    expect(volumes.slice(0, 3)).toEqual([expect.closeTo(0.5), 1, expect.closeTo(0.067, 2)]);
    expect(names(call)).toEqual(["call-start", "speech-start"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(names(call)).toEqual(["call-start", "speech-start", "speech-end"]);
  });
});

describe("app messages", () => {
  it("come as JSON, whether the library parsed it or not", async () => {
    const call = await startedCall();
    const told = { type: "transcript", role: "user", transcriptType: "final", transcript: "hi" };
    call.room.tell("app-message", { data: JSON.stringify(told) });
    call.room.tell("app-message", { data: told });
    expect(call.events.slice(1)).toEqual([
      ["message", told],
      ["message", told],
    ]);
  });

  it("go out as JSON", async () => {
    const call = await startedCall();
    call.client.say("Goodbye.", true);
    call.client.send({ type: "control", control: "mute-assistant" });
    call.client.send({ type: "add-message", message: { role: "user", content: "x" } });
    call.client.send({ type: "end-call" });
    expect(call.room.sent).toEqual([
      '{"type":"say","message":"Goodbye.","endCallAfterSpoken":true,"interruptionsEnabled":true}',
      '{"type":"control","control":"mute-assistant"}',
      '{"type":"add-message","message":{"role":"user","content":"x"}}',
      '{"type":"end-call"}',
    ]);
  });
});

describe("the caller's microphone", () => {
  it("is muted in the room, for the platform has no word for it", async () => {
    const call = await startedCall();
    call.client.setMuted(true);
    call.client.setMuted(false);
    expect(call.room.microphone).toEqual([false, true]);
    expect(call.room.sent).toEqual([]);
  });

  it("is on again, without the noise canceller, when that fails", async () => {
    const call = await startedCall();
    call.room.tell("nonfatal-error", { type: "input-settings-error" });
    await vi.advanceTimersByTimeAsync(0);
    expect(call.room.microphone).toEqual([]);
    call.room.tell("nonfatal-error", { type: "audio-processor-error" });
    await vi.advanceTimersByTimeAsync(0);
    expect(call.room.processors).toEqual(["noise-cancellation", "none"]);
    expect(call.room.microphone).toEqual([true]);
  });

  it("stays off where the caller has muted it", async () => {
    const call = await startedCall();
    call.client.setMuted(true);
    call.room.tell("nonfatal-error", { type: "audio-processor-error" });
    await vi.advanceTimersByTimeAsync(0);
    expect(call.room.microphone).toEqual([false, false]);
  });
});

describe("ending", () => {
  const ENDED = { type: "status-update", status: "ended", endedReason: "customer-ended-call" };

  it("is told once, with one status of its own, when the caller hangs up", async () => {
    const call = await startedCall();
    await call.client.stop();
    expect(call.events.slice(1)).toEqual([["call-end"], ["message", ENDED]]);
    expect(call.room.destroyed).toBe(1);
  });

  it("is told once when the room is left from the other side", async () => {
    const call = await startedCall();
    call.room.tell("error", { error: { type: "ejected" } });
    call.room.tell("left-meeting", {});
    await vi.advanceTimersByTimeAsync(0);
    expect(call.events.slice(1)).toEqual([["call-end"], ["message", ENDED]]);
  });

  it("does not repeat the platform's own status", async () => {
    const call = await startedCall();
    const told = { ...ENDED, endedReason: "assistant-ended-call" };
    call.room.tell("app-message", { data: JSON.stringify(told) });
    call.room.tell("left-meeting", {});
    await vi.advanceTimersByTimeAsync(0);
    expect(call.events.slice(1)).toEqual([["message", told], ["call-end"]]);
  });

  it("waits for nobody when the library does not answer", async () => {
    const call = await startedCall();
    call.room.destroy = () => new Promise(() => {});
    const stopped = call.client.stop();
    await vi.advanceTimersByTimeAsync(2000);
    await stopped;
    expect(names(call)).toEqual(["call-start", "call-end", "message"]);
  });

  it("is preceded by a look for the room where that was lost", async () => {
    const call = await startedCall();
    call.room.tell("error", { error: { type: "connection-error" } });
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual(["call-start", "line-lost"]);
    call.room.tell("app-message", { data: "listening" });
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual(["call-start", "line-lost", "line-restored"]);
  });

  it("is told with an error where the room is gone by then", async () => {
    const call = await startedCall();
    call.room.refuses = new VoiceError("call-refused", "no such room");
    call.room.tell("error", { error: { type: "connection-error" } });
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual(["call-start", "line-lost", "error", "call-end", "message"]);
  });
});
