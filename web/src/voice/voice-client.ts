/**
 * A voice call, as a page uses it: `start`, `stop`, mute, and events. One call at a time.
 *
 * It decides what the platform's client decides (one start at a time, the ended status once, what
 * counts as speech) and leaves the carrying of sound to its transports, which it tries in order. A
 * call whose line is lost is joined again: the server keeps it for a while. Whether our own server or the hosted platform
 * holds a call, it does not know.
 * It shows nothing and keeps no record.
 */
import { Emitter } from "./emitter.ts";
import { OBSERVE_EVERY_MS, SpeechDetector, volumeOf } from "./levels.ts";
import { type ClientMessage, isCallEnded, PLAYABLE, readMessage, type VoiceMessage } from "./messages.ts";
import type { Microphone } from "./microphone.ts";
import type { CreateTransport, Transport } from "./transport.ts";
import { Unanswered, VoiceError } from "./voice-error.ts";
import { atAnyNode, type CallTarget, type WebCall } from "./web-call.ts";

export type VoiceEvents = {
  "call-start": [];
  /** The line is lost, and another to the same call is looked for. */
  "line-lost": [];
  /** The call goes on where it was. */
  "line-restored": [];
  "call-end": [];
  "speech-start": [];
  "speech-end": [];
  /** The assistant's volume, 0 to 1. */
  "volume-level": [volume: number];
  /** The caller's own volume, 0 to 1. */
  "local-volume-level": [volume: number];
  message: [message: VoiceMessage];
  error: [error: VoiceError];
  /** How far starting a call has come. */
  "call-start-progress": [progress: { stage: StartStage; status: "started" | "completed" }];
  "call-start-success": [callId: string];
  /** Where starting stopped; an `error` event tells why, unless it was given up. */
  "call-start-failed": [stage: StartStage];
};

/** What starting a call consists of, in this order. */
export type StartStage = "microphone" | "call-creation" | "mobile-wait" | "join" | "listening";

/** What comes of asking a server; `gone` is a proxy's word for it, `none` may be the caller's own network. */
export type ServerAnswer = "there" | "gone" | "none";

/** What the client stands on; a browser's parts are in `browser-parts.ts`. */
export interface VoiceClientParts {
  openMicrophone(): Promise<Microphone>;
  createCall(target: CallTarget, signal: AbortSignal): Promise<WebCall>;
  /** Those that a call may be carried by, tried in this order until one connects. */
  transportsOf(call: WebCall): readonly CreateTransport[];
  /** Asks the server that has the call for any answer at all. Never rejects, and is bounded in time. */
  askServer(call: WebCall): Promise<ServerAnswer>;
  /** Phones need a moment between getting the microphone and joining. */
  isMobile: boolean;
}

export const MOBILE_WAIT_MS = 1000;
/** How long the assistant may take to be there once sound flows. */
const LISTENING_WITHIN_MS = 10_000;
/**
 * A server that is asked in vain for this long, and not heard on the line either, is gone. A quiet
 * line is heard every 2.5 s (see `line-watch.ts`), so a live one is not taken for dead.
 */
const ASK_SERVER_EVERY_MS = 900;
const ASK_SERVER_TIMES = 4;
/** How long the other side may take to hang up after saying that the call has ended. */
const HANG_UP_WITHIN_MS = 2000;
/** For how long another line is looked for. The server finds the old one lost later, and waits less long. */
export const RETURN_WITHIN_MS = 45_000;
/** Between the tries: at once, then longer each time. */
const RETRY_AFTER_MS = 300;
const RETRY_AT_LEAST_EVERY_MS = 3000;

interface Deferred<T> {
  promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

interface LiveCall {
  readonly abort: AbortController;
  call: WebCall | null;
  microphone: Microphone | null;
  transport: Transport | null;
  /** The one that was lost, while another is looked for. */
  lost: Transport | null;
  observer: ReturnType<typeof setInterval> | undefined;
  hangUp: ReturnType<typeof setTimeout> | undefined;
  begun: boolean;
  endedStatusSeen: boolean;
  /** The server has said that the call is over. */
  endedThere: boolean;
  /** Whether the server is being asked if it is still there. */
  doubted: boolean;
  /** The assistant is there, on the line being joined. */
  listening: Deferred<void>;
}

export class VoiceClient extends Emitter<VoiceEvents> {
  readonly #parts: VoiceClientParts;
  /** The started flag: set from `start` until the call is over or has failed to start. */
  #live: LiveCall | null = null;

  constructor(parts: VoiceClientParts) {
    super();
    this.#parts = parts;
  }

  /** The call being started or under way. */
  get call(): WebCall | null {
    return this.#live?.call ?? null;
  }

  /**
   * Starts a call and resolves to it once the assistant is there. Resolves to null when a call is
   * already started, and when starting failed, which an `error` event has then told.
   */
  async start(target: CallTarget): Promise<WebCall | null> {
    if (!target.assistant && !target.squad && !target.workflow) {
      const error = new VoiceError("nothing-to-call", "Assistant or Squad or Workflow must be provided.");
      this.emit("error", error);
      throw error;
    }
    if (this.#live) return null;

    const live: LiveCall = {
      abort: new AbortController(),
      call: null,
      microphone: null,
      transport: null,
      lost: null,
      observer: undefined,
      hangUp: undefined,
      begun: false,
      endedStatusSeen: false,
      endedThere: false,
      doubted: false,
      listening: awaited(),
    };
    this.#live = live;
    let reached: StartStage = "microphone";
    const stage = async <T>(name: StartStage, work: () => Promise<T>): Promise<T> => {
      reached = name;
      this.emit("call-start-progress", { stage: name, status: "started" });
      const done = await work();
      this.emit("call-start-progress", { stage: name, status: "completed" });
      return done;
    };
    try {
      const { signal } = live.abort;
      // The microphone first: nobody should hold a line who cannot be heard on it.
      const microphone = await stage("microphone", () => this.#parts.openMicrophone());
      live.microphone = microphone;
      signal.throwIfAborted();
      const call = await stage("call-creation", () => this.#parts.createCall(target, signal));
      live.call = call;
      if (this.#parts.isMobile) await stage("mobile-wait", () => pause(MOBILE_WAIT_MS, signal));
      live.transport = await stage("join", () => this.#joinWherever(live, call, microphone));
      window.addEventListener("pagehide", this.#pageHidden);
      await stage("listening", () => within(LISTENING_WITHIN_MS, live.listening.promise, signal));
      this.emit("call-start-success", call.id);
      return call;
    } catch (error) {
      const stopped = live.abort.signal.aborted;
      await this.#cleanUp(live);
      this.emit("call-start-failed", reached);
      if (!stopped) this.emit("error", VoiceError.from(error, "media-failed"));
      return null;
    }
  }

  /** Ends the call, or gives up starting one. */
  async stop(): Promise<void> {
    const live = this.#live;
    if (!live) return;
    if (live.begun) await this.#left(live);
    else live.abort.abort();
  }

  /**
   * Something hints that the server is gone. Asks it; when it neither answers nor is heard on the
   * line, the call is over, rather than a voice that never comes.
   */
  async doubt(): Promise<void> {
    await this.#askForServer(ASK_SERVER_TIMES, false);
  }

  /** Where the line is silent, a proxy need say only once that there is no server behind it. */
  async #askForServer(times: number, lineIsSilent: boolean): Promise<void> {
    const live = this.#live;
    if (!live?.begun || !live.call || !live.transport || live.doubted) return;
    live.doubted = true;
    try {
      const before = await live.transport.received();
      let isGone = false;
      for (let asked = 0; asked < times && !isGone; asked++) {
        if (asked > 0) await pause(ASK_SERVER_EVERY_MS, live.abort.signal);
        const answer = await this.#parts.askServer(live.call);
        if (answer === "there") return;
        isGone = lineIsSilent && answer === "gone";
      }
      if (!isGone && times < ASK_SERVER_TIMES) return;
      if ((await live.transport.received()) === before) await this.#left(live, "lost");
    } catch {
      // The call ended meanwhile.
    } finally {
      live.doubted = false;
    }
  }

  /** Ends everything at once, waiting for nothing: the page is going away, or must fall silent. */
  abandon(): void {
    const live = this.#live;
    if (!live || live.abort.signal.aborted) return;
    (live.transport ?? live.lost)?.abandon();
    if (live.begun) void this.#left(live);
    else live.abort.abort();
  }

  setMuted(muted: boolean): void {
    if (!this.#live?.microphone) throw new Error("Call object is not available.");
    this.#live.microphone.muted = muted;
    const { transport } = this.#live;
    if (transport?.mute) transport.mute(muted);
    // Silence is then not taken for absence: no voice asks whether the caller is still there.
    else this.send({ type: "control", control: muted ? "mute-caller" : "unmute-caller" });
  }

  isMuted(): boolean {
    return this.#live?.microphone?.muted ?? false;
  }

  /** Sends an app message; without a call there is nobody to send it to, and nothing happens. */
  send(message: ClientMessage): void {
    this.#live?.transport?.send(JSON.stringify(message));
  }

  /** Has the assistant say something. */
  say(message: string, endCallAfterSpoken = false, interruptionsEnabled = true): void {
    this.send({ type: "say", message, endCallAfterSpoken, interruptionsEnabled });
  }

  /** Connects by the first transport that can. A busy or refusing server is not asked twice. */
  async #join(live: LiveCall, call: WebCall, microphone: Microphone): Promise<Transport> {
    let failure: unknown = new VoiceError("media-failed", "there is no way of connecting");
    for (const create of this.#parts.transportsOf(call)) {
      const transport = create();
      const listener = {
        message: (text: string) => this.#received(live, text),
        playing: () => transport.send(PLAYABLE),
        sounding: () => this.#assistantIsThere(live),
        left: (cause: "closed" | "lost") => void this.#left(live, cause),
        doubtful: () => void this.#askForServer(1, true),
        faltering: () => void this.#askForServer(ASK_SERVER_TIMES, true),
      };
      try {
        await transport.join(call, microphone, listener, live.abort.signal);
        return transport;
      } catch (error) {
        live.abort.signal.throwIfAborted();
        failure = error;
        if (error instanceof VoiceError && error.trouble !== "media-failed") break;
        // Of a call that is come back to: the socket's sound gets through such a network in pieces, and once joined it would stay.
        if (live.begun && error instanceof Unanswered) break;
      }
    }
    throw failure;
  }

  /** At the node that has the call; if that is gone, at whichever is left. */
  async #joinWherever(live: LiveCall, call: WebCall, microphone: Microphone): Promise<Transport> {
    const anywhere = atAnyNode(call);
    try {
      return await this.#join(live, call, microphone);
    } catch (error) {
      live.abort.signal.throwIfAborted();
      const gone = error instanceof VoiceError && error.trouble === "server-unreachable";
      // Of a call that had begun, another node knows better whether it is over.
      if (anywhere === call || !(gone || live.begun)) throw error;
    }
    return await this.#join(live, anywhere, microphone);
  }

  #received(live: LiveCall, text: string): void {
    const received = readMessage(text);
    switch (received.kind) {
      case "listening":
        this.#assistantIsThere(live);
        return;
      case "message":
        if (isCallEnded(received.message)) {
          live.endedStatusSeen = true;
          live.endedThere = true;
          live.hangUp ??= setTimeout(() => void this.#left(live), HANG_UP_WITHIN_MS);
        }
        this.emit("message", received.message);
        return;
      case "unreadable":
        console.warn("an app message could not be read and was passed over");
    }
  }

  /**
   * It says so, or is heard. Over a network that loses one packet in five, the channel of the app messages may not stand ten
   * seconds after the sound came: each of its handshakes waits for seconds, and longer each time.
   */
  #assistantIsThere(live: LiveCall): void {
    if (!live.begun) this.#begin(live);
    live.listening.resolve();
  }

  #begin(live: LiveCall): void {
    live.begun = true;
    const speech = new SpeechDetector();
    live.observer = setInterval(() => {
      const remote = live.transport?.remoteLevel() ?? 0;
      this.emit("volume-level", volumeOf(remote));
      this.emit("local-volume-level", volumeOf(live.microphone?.level() ?? 0));
      const change = speech.observe(remote, performance.now());
      if (change) this.emit(change);
    }, OBSERVE_EVERY_MS);
    this.emit("call-start");
  }

  /** A line has ended, and the call with it, unless it is to be found again. */
  async #left(live: LiveCall, cause: "closed" | "lost" = "closed"): Promise<void> {
    if (this.#live !== live || live.abort.signal.aborted) return;
    if (!live.begun) {
      live.listening.reject(new VoiceError("media-failed", "the call ended before it began"));
      return;
    }
    if (cause === "lost" && !live.endedStatusSeen) {
      if (live.lost) live.listening.reject(new VoiceError("media-failed", "the line was lost again"));
      else if (await this.#findAnotherLine(live)) return;
      else await this.#over(live, cause);
      return;
    }
    await this.#over(live, cause);
  }

  /** Joins the same call again. False when it is over, or the time for it. */
  async #findAnotherLine(live: LiveCall): Promise<boolean> {
    const { call, microphone } = live;
    if (!call || !microphone) return false;
    live.lost = live.transport;
    live.transport = null;
    live.lost?.letGo();
    this.emit("line-lost");
    const until = performance.now() + RETURN_WITHIN_MS;
    try {
      for (let wait = 0; performance.now() + wait < until; wait = longer(wait)) {
        await pause(wait, live.abort.signal);
        live.listening = awaited();
        try {
          live.transport = await this.#joinWherever(live, call, microphone);
          await within(LISTENING_WITHIN_MS, live.listening.promise, live.abort.signal);
        } catch (error) {
          live.abort.signal.throwIfAborted();
          live.transport?.letGo();
          live.transport = null;
          if (error instanceof VoiceError && error.trouble === "call-refused") return false;
          continue;
        }
        live.lost = null;
        if (microphone.muted) this.setMuted(true);
        this.emit("line-restored");
        return true;
      }
      return false;
    } catch {
      // The call was left meanwhile, and is over.
      return true;
    }
  }

  /** The call has been left, by whichever side. Tells it once. */
  async #over(live: LiveCall, cause: "closed" | "lost"): Promise<void> {
    live.abort.abort();
    if (cause === "lost" && !live.endedStatusSeen) {
      this.emit("error", new VoiceError("media-lost", "the sound of the call was cut off"));
    }
    clearInterval(live.observer);
    this.emit("call-end");
    if (!live.endedStatusSeen) {
      live.endedStatusSeen = true;
      this.emit("message", { type: "status-update", status: "ended", endedReason: "customer-ended-call" });
    }
    await this.#cleanUp(live);
  }

  async #cleanUp(live: LiveCall): Promise<void> {
    clearInterval(live.observer);
    clearTimeout(live.hangUp);
    window.removeEventListener("pagehide", this.#pageHidden);
    live.microphone?.close();
    if (this.#live === live) this.#live = null;
    await (live.transport ?? live.lost)?.leave(live.endedThere);
  }

  readonly #pageHidden = () => this.abandon();
}

function longer(wait: number): number {
  return Math.min(Math.max(wait * 2, RETRY_AFTER_MS), RETRY_AT_LEAST_EVERY_MS);
}

/** May be rejected when nobody is waiting for it yet, or any more. */
function awaited(): Deferred<void> {
  const deferred = withResolvers<void>();
  deferred.promise.catch(() => {});
  return deferred;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** `promise`, or a rejection once `ms` have passed or `signal` fires. */
async function within<T>(ms: number, promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: bound, reject } = withResolvers<never>();
  const timer = setTimeout(() => reject(new VoiceError("media-failed", `nothing came within ${ms} ms`)), ms);
  const aborted = () => reject(signal.reason);
  signal.addEventListener("abort", aborted);
  if (signal.aborted) aborted();
  try {
    return await Promise.race([promise, bound]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", aborted);
  }
}

/** What `Promise.withResolvers` makes, for browsers of early 2024. */
function withResolvers<T>(): Deferred<T> {
  let resolve!: Deferred<T>["resolve"];
  let reject!: Deferred<T>["reject"];
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
