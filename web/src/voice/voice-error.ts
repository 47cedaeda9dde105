/** What can go wrong with a call, as a stable code the page can speak to. Not the words shown to anyone. */
export type VoiceTrouble =
  | "nothing-to-call"
  | "microphone-refused"
  | "microphone-missing"
  | "microphone-failed"
  | "server-unreachable"
  | "platform-unreachable"
  | "lines-busy"
  | "call-refused"
  | "media-failed"
  | "media-lost";

export class VoiceError extends Error {
  override readonly name = "VoiceError";
  readonly trouble: VoiceTrouble;

  constructor(trouble: VoiceTrouble, message: string, options?: ErrorOptions) {
    super(message, options);
    this.trouble = trouble;
  }

  /** Any thrown value as a `VoiceError`; what is not one already gets `trouble`. */
  static from(error: unknown, trouble: VoiceTrouble): VoiceError {
    if (error instanceof VoiceError) return error;
    return new VoiceError(trouble, error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** An offer was not answered in time, nor refused: the network is hardly there, for any way that goes over it. */
export class Unanswered extends VoiceError {
  constructor() {
    super("media-failed", "the offer was not answered in time");
  }
}
