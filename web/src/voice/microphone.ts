/** The caller's microphone: asking for it, muting it, its level. It is let go of with `close`. */
import { SoundLevel } from "./sound-level.ts";
import { VoiceError } from "./voice-error.ts";

export interface Microphone {
  readonly stream: MediaStream;
  /** Which device it is, where the browser says so. */
  readonly deviceId: string | null;
  muted: boolean;
  /** The level of what the microphone hears now, 0 to 1. */
  level(): number;
  close(): void;
}

export interface MicrophoneDevice {
  deviceId: string;
  label: string;
}

const CONSTRAINTS: MediaTrackConstraints = { echoCancellation: true, autoGainControl: true, channelCount: 1 };

/** Opens the chosen device, or where it is not plugged in or none was chosen, the browser's own choice. */
export async function openMicrophone(context: AudioContext, deviceId: string | null): Promise<Microphone> {
  const stream = await askForChosen(deviceId);
  const track = stream.getAudioTracks()[0];
  if (!track) throw new VoiceError("microphone-missing", "the browser gave a stream without a microphone");
  const cleaned = await suppressNoise(stream, track);
  const level = new SoundLevel(context, cleaned);
  return {
    stream: cleaned,
    deviceId: cleaned.getAudioTracks()[0]?.getSettings().deviceId ?? null,
    get muted() {
      return cleaned.getAudioTracks().every((each) => !each.enabled);
    },
    set muted(muted: boolean) {
      for (const each of cleaned.getAudioTracks()) each.enabled = !muted;
    },
    level: () => level.read(),
    close: () => {
      level.close();
      for (const each of cleaned.getTracks()) each.stop();
    },
  };
}

/**
 * Asks for noise suppression. It is a comfort, never a condition: where it fails, the call goes on
 * without it and with the microphone on.
 */
export async function suppressNoise(stream: MediaStream, track: MediaStreamTrack): Promise<MediaStream> {
  try {
    await track.applyConstraints({ ...CONSTRAINTS, noiseSuppression: true });
    return stream;
  } catch (error) {
    console.warn("noise suppression is not available; going on without it", error);
  }
  if (track.readyState === "live") {
    track.enabled = true;
    return stream;
  }
  // Some devices drop the track when a constraint fails under way: open it again, plainly.
  return askForMicrophone({ ...CONSTRAINTS, noiseSuppression: false });
}

/** A mere wish for a device is passed over by Chromium, so it is demanded, and done without if need be. */
export async function askForChosen(deviceId: string | null): Promise<MediaStream> {
  if (!deviceId) return askForMicrophone(CONSTRAINTS);
  try {
    return await askForMicrophone({ ...CONSTRAINTS, deviceId: { exact: deviceId } });
  } catch (error) {
    if (!(error instanceof VoiceError) || error.trouble !== "microphone-missing") throw error;
    return askForMicrophone(CONSTRAINTS);
  }
}

/** The microphones there are. Browsers name them once one has been allowed. */
export async function listMicrophones(): Promise<MicrophoneDevice[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return devices
    .filter(({ kind, deviceId }) => kind === "audioinput" && deviceId !== "")
    .map(({ deviceId, label }, i) => ({ deviceId, label: label || `Microphone ${i + 1}` }));
}

async function askForMicrophone(audio: MediaTrackConstraints): Promise<MediaStream> {
  // Absent on pages that are not served securely.
  if (!navigator.mediaDevices?.getUserMedia) {
    throw new VoiceError(
      "microphone-failed",
      "this page may not use a microphone; it needs a secure address",
    );
  }
  try {
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    throw new VoiceError(microphoneTrouble(error), "the microphone could not be opened", { cause: error });
  }
}

function microphoneTrouble(error: unknown) {
  switch (error instanceof DOMException ? error.name : "") {
    case "NotAllowedError":
    case "SecurityError":
      return "microphone-refused";
    case "NotFoundError":
    case "OverconstrainedError":
      return "microphone-missing";
    default:
      return "microphone-failed";
  }
}
