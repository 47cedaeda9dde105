/** A voice call as its page has it: started, lost and found again, ended, each told once. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type InMemoryCall, inMemoryCall, refusedBy } from "./testing/in-memory-call.ts";
import { MOBILE_WAIT_MS, RETURN_WITHIN_MS } from "./voice-client.ts";
import { Unanswered } from "./voice-error.ts";

const TARGET = { assistant: "nightlight" };
const names = ({ events }: InMemoryCall) => events.map(([name]) => name);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Starts a call and has the assistant be there. */
async function startedCall(change?: Parameters<typeof inMemoryCall>[0]): Promise<InMemoryCall> {
  const call = inMemoryCall(change);
  const started = call.client.start(TARGET);
  await vi.advanceTimersByTimeAsync(0);
  call.first.listener?.message("listening");
  await started;
  return call;
}

describe("starting", () => {
  it("begins when the assistant is listening, and resolves to the call", async () => {
    const call = inMemoryCall();
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual([]);
    call.first.listener?.message("listening");
    expect(await started).toMatchObject({ id: "call-1" });
    expect(names(call)).toEqual(["call-start"]);
  });

  it("begins as well when the assistant is heard first, and once", async () => {
    const call = inMemoryCall();
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    call.first.listener?.sounding?.();
    expect(await started).toMatchObject({ id: "call-1" });
    call.first.listener?.message("listening");
    expect(names(call)).toEqual(["call-start"]);
  });

  it("needs someone to call", async () => {
    const call = inMemoryCall();
    await expect(call.client.start({})).rejects.toThrow("Assistant or Squad or Workflow must be provided.");
    expect(names(call)).toEqual(["error"]);
    expect(call.parts.openMicrophone).not.toHaveBeenCalled();
  });

  it("returns nothing for a second start while started", async () => {
    const call = await startedCall();
    expect(await call.client.start(TARGET)).toBeNull();
    expect(call.parts.createCall).toHaveBeenCalledTimes(1);
    expect(names(call)).toEqual(["call-start"]);
  });

  it("returns nothing for a second start while the first is still starting", async () => {
    const call = inMemoryCall();
    void call.client.start(TARGET);
    expect(await call.client.start(TARGET)).toBeNull();
  });

  it("tells a failure, cleans up and returns nothing", async () => {
    const call = inMemoryCall({
      createCall: async () => {
        throw refusedBy("lines-busy");
      },
    });
    expect(await call.client.start(TARGET)).toBeNull();
    expect(call.events).toEqual([["error", expect.objectContaining({ trouble: "lines-busy" })]]);
    expect(call.microphone.closed).toBe(true);
  });

  it("can start again after a failure", async () => {
    const call = inMemoryCall();
    call.first.refuses = refusedBy("lines-busy");
    expect(await call.client.start(TARGET)).toBeNull();
    call.first.refuses = null;
    const again = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    call.first.listener?.message("listening");
    expect(await again).not.toBeNull();
  });

  it("asks for the microphone before it asks for a line", async () => {
    const call = inMemoryCall({
      openMicrophone: async () => {
        throw refusedBy("microphone-refused");
      },
    });
    expect(await call.client.start(TARGET)).toBeNull();
    expect(call.parts.createCall).not.toHaveBeenCalled();
    expect(call.events).toEqual([["error", expect.objectContaining({ trouble: "microphone-refused" })]]);
  });

  it("waits a second before joining on a mobile device", async () => {
    const call = inMemoryCall({ isMobile: true });
    void call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(MOBILE_WAIT_MS - 1);
    expect(call.first.joined).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(call.first.joined).toBe(true);
  });

  it("takes the second way when the first does not connect", async () => {
    const call = inMemoryCall();
    call.first.refuses = refusedBy("media-failed");
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    call.second.listener?.message("listening");
    expect(await started).not.toBeNull();
    expect(names(call)).toEqual(["call-start"]);
  });

  it("takes the second way also when the network hardly answers: there is no call yet to come back to", async () => {
    const call = inMemoryCall();
    call.first.refuses = new Unanswered();
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    expect(call.second.joined).toBe(true);
    call.second.listener?.message("listening");
    await started;
  });

  it("does not try a second way when all lines are busy", async () => {
    const call = inMemoryCall();
    call.first.refuses = refusedBy("lines-busy");
    expect(await call.client.start(TARGET)).toBeNull();
    expect(call.second.joined).toBe(false);
  });

  it("fails when the assistant is not there in time", async () => {
    const call = inMemoryCall();
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await started).toBeNull();
    expect(names(call)).toEqual(["error"]);
    expect(call.first.left).toBe(1);
  });

  it("fails when the other side leaves before the call began", async () => {
    const call = inMemoryCall();
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    call.first.listener?.left("lost");
    expect(await started).toBeNull();
    expect(names(call)).toEqual(["error"]);
  });

  it("tells how far it has come, and where it stopped", async () => {
    const call = inMemoryCall({ isMobile: true });
    const told: string[] = [];
    call.client.on("call-start-progress", ({ stage, status }) => told.push(`${stage} ${status}`));
    call.client.on("call-start-success", (id) => told.push(`success ${id}`));
    call.client.on("call-start-failed", (stage) => told.push(`failed at ${stage}`));
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(MOBILE_WAIT_MS);
    call.first.listener?.message("listening");
    await started;
    const stages = ["microphone", "call-creation", "mobile-wait", "join", "listening"];
    expect(told).toEqual([
      ...stages.flatMap((stage) => [`${stage} started`, `${stage} completed`]),
      "success call-1",
    ]);
    await call.client.stop();
    told.length = 0;
    call.first.refuses = refusedBy("lines-busy");
    const again = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(MOBILE_WAIT_MS);
    expect(await again).toBeNull();
    expect(told.slice(-2)).toEqual(["join started", "failed at join"]);
  });

  it("can be given up, silently", async () => {
    const call = inMemoryCall();
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    await call.client.stop();
    expect(await started).toBeNull();
    expect(names(call)).toEqual([]);
    expect(call.microphone.closed).toBe(true);
  });
});

describe("ending", () => {
  const ended = (call: InMemoryCall) => call.events.filter(([name]) => name === "message");

  it("tells the end and why, once, when the caller hangs up", async () => {
    const call = await startedCall();
    await call.client.stop();
    await call.client.stop();
    call.first.listener?.left("closed");
    expect(names(call)).toEqual(["call-start", "call-end", "message"]);
    expect(ended(call)).toEqual([
      ["message", { type: "status-update", status: "ended", endedReason: "customer-ended-call" }],
    ]);
    expect(call.first.left).toBe(1);
    expect(call.first.endedThere).toBe(false);
    expect(call.microphone.closed).toBe(true);
  });

  it("does not repeat an end that the platform has told", async () => {
    const call = await startedCall();
    const told = { type: "status-update", status: "ended", endedReason: "assistant-forwarded-call" };
    call.first.listener?.message(JSON.stringify(told));
    call.first.listener?.left("lost");
    expect(ended(call)).toEqual([["message", told]]);
    expect(call.first.endedThere, "no goodbye to a call that is no more").toBe(true);
    expect(names(call)).toEqual(["call-start", "message", "call-end"]);
  });

  it("hangs up itself when the platform ended the call and did not", async () => {
    const call = await startedCall();
    call.first.listener?.message('{"type":"status-update","status":"ended"}');
    await vi.advanceTimersByTimeAsync(5000);
    expect(names(call)).toEqual(["call-start", "message", "call-end"]);
    expect(call.first.left).toBe(1);
  });

  it("can start again afterwards", async () => {
    const call = await startedCall();
    await call.client.stop();
    const again = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    call.first.listener?.message("listening");
    expect(await again).not.toBeNull();
  });

  it("ends the call at once when the page goes away", async () => {
    const call = await startedCall();
    window.dispatchEvent(new Event("pagehide"));
    expect(call.first.abandoned).toBe(true);
    expect(call.microphone.closed).toBe(true);
    // A page that comes back from the browser's cache knows that its call is over.
    expect(names(call)).toEqual(["call-start", "call-end", "message"]);
  });

  it("gives up a start at once when the page goes away", async () => {
    const call = inMemoryCall();
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    call.client.abandon();
    expect(await started).toBeNull();
    expect(call.first.abandoned).toBe(true);
    expect(call.microphone.closed).toBe(true);
  });
});

describe("a line that is lost", () => {
  /** No way leads to the call any more. */
  function refusing(call: InMemoryCall, trouble: Parameters<typeof refusedBy>[0]): void {
    call.first.refuses = refusedBy(trouble);
    call.second.refuses = refusedBy(trouble);
  }

  it("is replaced by another to the same call, which goes on", async () => {
    const call = await startedCall();
    call.client.setMuted(true);
    call.first.listener?.left("lost");
    expect(call.first.letGoOf).toBe(1);
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual(["call-start", "line-lost"]);
    call.first.sent.length = 0;
    call.first.listener?.message("listening");
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual(["call-start", "line-lost", "line-restored"]);
    expect(call.parts.createCall).toHaveBeenCalledTimes(1);
    expect(call.microphone.closed).toBe(false);
    expect(call.first.left, "no goodbye to a call that goes on").toBe(0);
    expect(call.first.sent, "the server hears again that the caller is muted").toEqual([
      JSON.stringify({ type: "control", control: "mute-caller" }),
    ]);
  });

  it("is replaced as soon as the assistant is heard, however late the app messages come", async () => {
    const call = await startedCall();
    call.first.listener?.left("lost");
    await vi.advanceTimersByTimeAsync(9000);
    call.first.listener?.sounding?.();
    await vi.advanceTimersByTimeAsync(20_000);
    call.first.listener?.message("listening");
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual(["call-start", "line-lost", "line-restored"]);
    expect(call.first.letGoOf, "only of the line that was lost").toBe(1);
  });

  it("is looked for again and again, also where the new one breaks, and can be lost twice", async () => {
    const call = await startedCall();
    refusing(call, "media-failed");
    call.first.listener?.left("lost");
    await vi.advanceTimersByTimeAsync(20_000);
    call.first.refuses = null;
    await vi.advanceTimersByTimeAsync(3000);
    call.first.listener?.left("lost");
    await vi.advanceTimersByTimeAsync(3000);
    call.first.listener?.message("listening");
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual(["call-start", "line-lost", "line-restored"]);
    call.first.listener?.left("lost");
    await vi.advanceTimersByTimeAsync(0);
    call.first.listener?.message("listening");
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call).slice(3)).toEqual(["line-lost", "line-restored"]);
  });

  it("is looked for by the same way again where the network hardly answers, and not by the second", async () => {
    const call = await startedCall();
    call.first.refuses = new Unanswered();
    call.first.listener?.left("lost");
    await vi.advanceTimersByTimeAsync(5000);
    expect(call.second.joined).toBe(false);
    call.first.refuses = null;
    await vi.advanceTimersByTimeAsync(3000);
    call.first.listener?.message("listening");
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual(["call-start", "line-lost", "line-restored"]);
    expect(call.second.joined).toBe(false);
  });

  it("is given up after its time: an error is told, then the end", async () => {
    const call = await startedCall();
    refusing(call, "lines-busy");
    call.first.listener?.left("lost");
    await vi.advanceTimersByTimeAsync(RETURN_WITHIN_MS - 4000);
    expect(names(call)).toEqual(["call-start", "line-lost"]);
    await vi.advanceTimersByTimeAsync(4000);
    expect(names(call).slice(2)).toEqual(["error", "call-end", "message"]);
    expect(call.events[2]).toEqual(["error", expect.objectContaining({ trouble: "media-lost" })]);
    expect(call.microphone.closed).toBe(true);
  });

  it("is given up at once where the server knows no such call any more", async () => {
    const call = await startedCall();
    refusing(call, "call-refused");
    call.first.listener?.left("lost");
    await vi.advanceTimersByTimeAsync(0);
    expect(names(call)).toEqual(["call-start", "line-lost", "error", "call-end", "message"]);
  });

  it("is found at another node where the call's own is gone, whatever is answered in its place", async () => {
    const own = "https://line.example/node/a/call/call-1/whip";
    const call = await startedCall({ createCall: vi.fn(async () => ({ id: "call-1", webCallUrl: own })) });
    expect(call.first.url).toBe(own);
    for (const way of [call.first, call.second]) {
      way.refusesAt = (url) => (url === own ? refusedBy("call-refused") : null);
    }
    call.first.listener?.left("lost");
    await vi.advanceTimersByTimeAsync(0);
    call.first.listener?.message("listening");
    await vi.advanceTimersByTimeAsync(0);
    expect(call.first.url).toBe("https://line.example/call/call-1/whip");
    expect(names(call)).toEqual(["call-start", "line-lost", "line-restored"]);
  });

  it("is not looked for when the caller ends the call meanwhile, which says goodbye", async () => {
    const call = await startedCall();
    refusing(call, "media-failed");
    call.first.listener?.left("lost");
    await vi.advanceTimersByTimeAsync(1000);
    await call.client.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(names(call)).toEqual(["call-start", "line-lost", "call-end", "message"]);
    expect(call.first.left).toBe(1);
    expect(call.first.endedThere).toBe(false);
  });
});

describe("a server that may be gone", () => {
  const gone = { askServer: async () => "none" as const };
  const goneByAProxy = { askServer: async () => "gone" as const };

  it("is taken for gone when it neither answers nor is heard for three seconds", async () => {
    const call = await startedCall(gone);
    call.first.listener?.faltering();
    await vi.advanceTimersByTimeAsync(2600);
    expect(names(call)).toEqual(["call-start"]);
    await vi.advanceTimersByTimeAsync(400);
    expect(names(call)).toEqual(["call-start", "line-lost"]);
  });

  it("is taken for gone at once when a proxy says so and the line is silent", async () => {
    for (const told of ["doubtful", "faltering"] as const) {
      const call = await startedCall(goneByAProxy);
      call.first.listener?.[told]();
      await vi.advanceTimersByTimeAsync(0);
      expect(names(call)).toEqual(["call-start", "line-lost"]);
    }
  });

  it("is not when it cannot be asked and a single check went unanswered", async () => {
    const call = await startedCall(gone);
    for (let i = 0; i < 10; i++) {
      call.first.listener?.doubtful();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(names(call)).toEqual(["call-start"]);
  });

  it("is not while it answers", async () => {
    const call = await startedCall();
    for (let i = 0; i < 10; i++) {
      call.first.listener?.faltering();
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(names(call)).toEqual(["call-start"]);
  });

  it("is not while it is heard on the line, whatever else fails and whatever a proxy says", async () => {
    for (const server of [gone, goneByAProxy]) {
      const call = await startedCall(server);
      void call.client.doubt();
      await vi.advanceTimersByTimeAsync(1000);
      call.first.heard++;
      await vi.advanceTimersByTimeAsync(5000);
      expect(names(call)).toEqual(["call-start"]);
    }
  });

  it("is asked once at a time, and not after the call", async () => {
    const askServer = vi.fn(async () => "none" as const);
    const call = await startedCall({ askServer });
    void call.client.doubt();
    void call.client.doubt();
    await vi.advanceTimersByTimeAsync(0);
    expect(askServer).toHaveBeenCalledTimes(1);
    await call.client.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(askServer).toHaveBeenCalledTimes(1);
    expect(names(call)).toEqual(["call-start", "call-end", "message"]);
  });
});

describe("during a call", () => {
  it("mutes only a call that is there", async () => {
    const idle = inMemoryCall();
    expect(() => idle.client.setMuted(true)).toThrow("Call object is not available.");
    expect(idle.client.isMuted()).toBe(false);

    const call = await startedCall();
    call.client.setMuted(true);
    expect(call.client.isMuted()).toBe(true);
    expect(call.microphone.muted).toBe(true);
    expect(call.first.sent).toContain(JSON.stringify({ type: "control", control: "mute-caller" }));
  });

  it("tells volume and speech from the remote level, observed every 100 ms", async () => {
    const call = await startedCall();
    const volumes: number[] = [];
    call.client.on("volume-level", (volume) => volumes.push(volume));
    call.first.level = 0.075;
    await vi.advanceTimersByTimeAsync(100);
    call.first.level = 0.3;
    await vi.advanceTimersByTimeAsync(100);
    call.first.level = 0;
    await vi.advanceTimersByTimeAsync(900);
    expect(volumes.slice(0, 3)).toEqual([0.5, 1, 0]);
    expect(names(call)).toEqual(["call-start", "speech-start"]);
    await vi.advanceTimersByTimeAsync(100);
    expect(names(call)).toEqual(["call-start", "speech-start", "speech-end"]);
  });

  it("passes on what it can read and passes over what it cannot", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => {});
    const call = await startedCall();
    call.first.listener?.message(
      '{"type":"transcript","role":"user","transcriptType":"final","transcript":"hi"}',
    );
    call.first.listener?.message("not a message");
    expect(names(call)).toEqual(["call-start", "message"]);
    expect(warned).toHaveBeenCalledTimes(1);
    expect(warned.mock.calls[0]?.join(" ")).not.toContain("not a message");
  });

  it("says that it can play once the assistant's sound is there, and sends what it is asked to", async () => {
    const call = await startedCall();
    call.first.listener?.playing();
    call.client.say("Goodbye.", true);
    expect(call.first.sent).toEqual([
      "playable",
      '{"type":"say","message":"Goodbye.","endCallAfterSpoken":true,"interruptionsEnabled":true}',
    ]);
  });

  it("goes on when a listener fails", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const call = inMemoryCall();
    call.client.on("call-start", () => {
      throw new Error("a page's mistake");
    });
    const started = call.client.start(TARGET);
    await vi.advanceTimersByTimeAsync(0);
    call.first.listener?.message("listening");
    expect(await started).not.toBeNull();
  });
});
