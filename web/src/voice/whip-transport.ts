/**
 * A call over WebRTC, signalled by WHIP (RFC 9725): the offer goes to `webCallUrl` at once, without
 * waiting for ICE candidates, because the server's addresses are all in its answer; a relay among the
 * call's `iceServers` makes itself known by what it carries. App messages travel on the data channel "app".
 */
import { connected } from "./connecting.ts";
import { firstToCome } from "./first-to-come.ts";
import { REMOTE_GAIN } from "./levels.ts";
import { countersOf, hasSound, LineWatch, WATCH_EVERY_MS } from "./line-watch.ts";
import type { Microphone } from "./microphone.ts";
import { SoundLevel } from "./sound-level.ts";
import type { Transport, TransportListener } from "./transport.ts";
import { Unanswered, VoiceError } from "./voice-error.ts";
import { NO_SERVER, refusal, type WebCall } from "./web-call.ts";

/**
 * Over a link that loses one packet in five each way and takes 300 ms, half of the offers are answered in 4 s and four of five in
 * this time. After a blackout a new try is better than an old one, whose packets are sent again ever more seldom.
 */
const ANSWER_WITHIN_MS = 8000;
/** What is lost of an offer or its answer is sent again ever more seldom: after this long another connection is the shorter way. */
const OFFER_AGAIN_AFTER_MS = 2500;
/** Of a caller's line, of which the server lets the first that connects have the call. */
export const CALLERS_OFFERS = 3;
/** A connection may be interrupted this long (a lift, a change of network) before it counts as lost. */
const INTERRUPTED_FOR_MS = 5000;
const GOODBYE_WITHIN_MS = 2000;
const GONE: ReadonlySet<number> = new Set([404, 409, 410]);

interface Answered {
  session: URL | null;
  answer: string;
}

export class WhipTransport implements Transport {
  readonly #context: AudioContext;
  readonly #offersAtOnce: number;
  readonly #player = new Audio();
  /** Messages from before the channel opened. */
  #unsent: string[] = [];
  #connection: RTCPeerConnection | null = null;
  #channel: RTCDataChannel | null = null;
  #session: URL | null = null;
  #level: SoundLevel | null = null;
  #interrupted: ReturnType<typeof setTimeout> | undefined;
  #observer: ReturnType<typeof setInterval> | undefined;

  constructor(context: AudioContext, offersAtOnce = 1) {
    this.#context = context;
    this.#offersAtOnce = offersAtOnce;
  }

  async join(
    call: WebCall,
    microphone: Microphone,
    listener: TransportListener,
    signal: AbortSignal,
  ): Promise<void> {
    const connection = new RTCPeerConnection({ iceServers: call.transport?.iceServers ?? [] });
    this.#connection = connection;
    // Before the offer, so that the offer carries it.
    const channel = connection.createDataChannel("app", { ordered: true });
    this.#channel = channel;
    channel.onopen = () => {
      for (const text of this.#unsent.splice(0)) channel.send(text);
    };
    channel.onmessage = (event) => {
      if (typeof event.data === "string") listener.message(event.data);
    };
    connection.ontrack = (event) => this.#play(event, listener);
    for (const track of microphone.stream.getAudioTracks()) connection.addTrack(track, microphone.stream);

    try {
      await connection.setLocalDescription();
      const answer = await this.#answerInTime(call, connection, signal);
      await connection.setRemoteDescription({ type: "answer", sdp: answer });
      await connected(connection, signal);
    } catch (error) {
      // No DELETE here: it would end the call, which another transport may still join.
      this.#release();
      throw VoiceError.from(error, "media-failed");
    }
    this.#watch(connection, channel, listener);
  }

  send(text: string): void {
    if (this.#channel?.readyState === "open") this.#channel.send(text);
    else this.#unsent.push(text);
  }

  remoteLevel(): number {
    return this.#level?.read() ?? 0;
  }

  async received(): Promise<number> {
    const report = await this.#connection?.getStats();
    return (report && countersOf(report)?.received) ?? 0;
  }

  letGo(): void {
    this.#release();
  }

  async leave(endedThere: boolean): Promise<void> {
    const session = this.#session;
    this.#session = null;
    this.#release();
    if (session && !endedThere) {
      const bounded = AbortSignal.timeout(GOODBYE_WITHIN_MS);
      await fetch(session, { method: "DELETE", keepalive: true, signal: bounded }).catch(() => {});
    }
  }

  abandon(): void {
    const session = this.#session;
    this.#session = null;
    // Closing tells the server within milliseconds; the DELETE covers a close that does not arrive.
    this.#release();
    if (session) void fetch(session, { method: "DELETE", keepalive: true }).catch(() => {});
  }

  async #answerInTime(call: WebCall, connection: RTCPeerConnection, signal: AbortSignal): Promise<string> {
    const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
    try {
      const offer = (bound: AbortSignal) => this.#offer(call, connection, bound);
      const plan = { everyMs: OFFER_AGAIN_AFTER_MS, most: this.#offersAtOnce };
      const { session, answer } = await firstToCome(offer, plan, AbortSignal.any([signal, late]));
      this.#session = session;
      return answer;
    } catch (error) {
      if (late.aborted && !signal.aborted && !(error instanceof VoiceError)) throw new Unanswered();
      throw error;
    }
  }

  async #offer(call: WebCall, connection: RTCPeerConnection, signal: AbortSignal): Promise<Answered> {
    const response = await fetch(call.webCallUrl, {
      method: "POST",
      headers: { "Content-Type": "application/sdp" },
      body: connection.localDescription?.sdp ?? "",
      signal,
    });
    if (NO_SERVER.has(response.status)) throw refusal(response.status, "joining the call");
    if (response.status === 503 || response.status === 429)
      throw refusal(response.status, "joining the call");
    // Over, or somebody else's: no other way leads to it.
    if (GONE.has(response.status)) throw refusal(response.status, "joining the call");
    if (!response.ok) throw new VoiceError("media-failed", `the offer was refused (${response.status})`);
    const location = response.headers.get("Location");
    const session = location ? new URL(location, call.webCallUrl) : null;
    return { session, answer: await response.text() };
  }

  #play(event: RTCTrackEvent, listener: TransportListener): void {
    const stream = event.streams[0] ?? new MediaStream([event.track]);
    this.#level?.close();
    this.#level = new SoundLevel(this.#context, stream, REMOTE_GAIN);
    this.#player.onplaying = () => listener.playing();
    this.#player.srcObject = stream;
    this.#player
      .play()
      .catch((error: unknown) => console.error("the assistant's sound cannot be played", error));
  }

  /** Tells the listener, once, when an established connection ends or breaks. */
  #watch(connection: RTCPeerConnection, channel: RTCDataChannel, listener: TransportListener): void {
    let told = false;
    const left = (cause: "closed" | "lost") => {
      if (told || this.#connection !== connection) return;
      told = true;
      clearTimeout(this.#interrupted);
      listener.left(cause);
    };
    channel.onclose = () => left("lost");
    connection.onconnectionstatechange = () => {
      clearTimeout(this.#interrupted);
      if (connection.connectionState === "disconnected") {
        listener.faltering();
        this.#interrupted = setTimeout(() => left("lost"), INTERRUPTED_FOR_MS);
      }
      if (connection.connectionState === "failed" || connection.connectionState === "closed") left("lost");
    };
    const watch = new LineWatch();
    let sounded = false;
    this.#observer = setInterval(async () => {
      const report = await connection.getStats();
      if (this.#connection !== connection) return;
      if (!sounded && hasSound(report)) {
        sounded = true;
        listener.sounding?.();
      }
      const counters = countersOf(report);
      if (!counters) return;
      const health = watch.observe(counters, performance.now());
      if (health === "doubtful") listener.doubtful();
      if (health === "faltering") listener.faltering();
      if (health === "lost") left("lost");
    }, WATCH_EVERY_MS);
  }

  #release(): void {
    clearTimeout(this.#interrupted);
    clearInterval(this.#observer);
    this.#level?.close();
    this.#level = null;
    this.#player.srcObject = null;
    const connection = this.#connection;
    this.#connection = null;
    this.#channel = null;
    connection?.close();
  }
}
