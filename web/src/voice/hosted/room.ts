/**
 * The part of the call library that a call needs: a room of its vendor's, joined with a microphone. Written down here, so that
 * what is used of it is seen at once and tests can play it; `load-call-library.ts` makes a real one.
 */

export interface RoomParticipant {
  session_id: string;
  user_name: string;
  local: boolean;
}

/** What is heard from a room, by its event's name. */
export interface RoomEvents {
  "app-message": { data: unknown };
  "participant-joined": { participant: RoomParticipant };
  "participant-left": { participant: RoomParticipant };
  /** `participant` is null once they have left. */
  "track-started": { participant: RoomParticipant | null; track: MediaStreamTrack };
  "remote-participants-audio-level": { participantsAudioLevel: Record<string, number> };
  "nonfatal-error": { type: string };
  /** The room is lost, or was taken away. */
  error: { error?: { type: string } };
  "left-meeting": unknown;
}

export interface Room {
  on<Name extends keyof RoomEvents>(name: Name, handler: (event: RoomEvents[Name]) => void): unknown;
  join(options: { url: string; token?: string; subscribeToTracksAutomatically: false }): Promise<unknown>;
  leave(): Promise<void>;
  destroy(): Promise<void>;
  participants(): Record<string, RoomParticipant>;
  updateParticipant(
    sessionId: string,
    updates: { setSubscribedTracks: { audio: boolean; video: boolean } },
  ): unknown;
  sendAppMessage(data: string): unknown;
  setLocalAudio(enabled: boolean): unknown;
  updateInputSettings(settings: {
    audio: { processor: { type: "none" | "noise-cancellation" } };
  }): Promise<unknown>;
  startRemoteParticipantsAudioLevelObserver(everyMs: number): Promise<void>;
}

export interface RoomOptions {
  /** A room that is not quite left yet keeps nobody from the next one, and from none that was lost. */
  allowMultipleCallInstances: true;
  /** A device's id, or the browser's own choice. */
  audioSource: string | true;
  /** No picture of a caller is ever sent. */
  videoSource: false;
  /** The vendor's script comes as a file, and not as text to be evaluated. */
  dailyConfig: { avoidEval: true };
}

export type CreateRoom = (options: RoomOptions) => Room;
