/** The call library's room without a network or sound: tests play the platform and the library by hand. */
import type { CreateRoom, Room, RoomEvents, RoomOptions, RoomParticipant } from "../hosted/room.ts";

export const CALLER: RoomParticipant = { session_id: "caller", user_name: "", local: true };
export const ASSISTANT: RoomParticipant = {
  session_id: "assistant",
  user_name: "Vapi Speaker",
  local: false,
};
/** The platform's other participant, who is not heard. */
export const LISTENER: RoomParticipant = { session_id: "listener", user_name: "Vapi Listener", local: false };

export class InMemoryRoom implements Room {
  options: RoomOptions | null = null;
  joinedWith: Parameters<Room["join"]>[0] | null = null;
  /** Set to refuse the next join. */
  refuses: unknown = null;
  /** Set to let the next join wait for ever. */
  hangs = false;
  destroyed = 0;
  readonly sent: string[] = [];
  readonly microphone: boolean[] = [];
  readonly processors: string[] = [];
  readonly subscribed: string[] = [];
  observedEvery = 0;
  /** Those who are there as one joins. */
  there: Record<string, RoomParticipant> = { local: CALLER };
  readonly #handlers = new Map<string, ((event: never) => void)[]>();

  readonly create: CreateRoom = (options) => {
    this.options = options;
    return this;
  };

  on<Name extends keyof RoomEvents>(name: Name, handler: (event: RoomEvents[Name]) => void): void {
    this.#handlers.set(name, [...(this.#handlers.get(name) ?? []), handler]);
  }
  /** Something happens in the room. */
  tell<Name extends keyof RoomEvents>(name: Name, event: RoomEvents[Name]): void {
    for (const handler of this.#handlers.get(name) ?? []) handler(event as never);
  }
  async join(options: Parameters<Room["join"]>[0]): Promise<void> {
    this.joinedWith = options;
    if (this.hangs) await new Promise(() => {});
    if (this.refuses) throw this.refuses;
  }
  async leave(): Promise<void> {}
  async destroy(): Promise<void> {
    this.destroyed++;
    // As the library does.
    this.tell("left-meeting", {});
  }
  participants(): Record<string, RoomParticipant> {
    return this.there;
  }
  updateParticipant(sessionId: string, updates: Parameters<Room["updateParticipant"]>[1]): void {
    if (updates.setSubscribedTracks.audio) this.subscribed.push(sessionId);
  }
  sendAppMessage(data: string): void {
    this.sent.push(data);
  }
  setLocalAudio(enabled: boolean): void {
    this.microphone.push(enabled);
  }
  async updateInputSettings({ audio }: Parameters<Room["updateInputSettings"]>[0]): Promise<void> {
    this.processors.push(audio.processor.type);
  }
  async startRemoteParticipantsAudioLevelObserver(everyMs: number): Promise<void> {
    this.observedEvery = everyMs;
  }
}
