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
