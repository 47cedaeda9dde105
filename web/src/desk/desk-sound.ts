/** The desk's sound: one context for its ring, its chime and its lines, made at a press because browsers silence others. */

let context: AudioContext | null = null;

export function deskAudio(): AudioContext {
  context ??= new AudioContext();
  return context;
}

/** Called in a press: from then on the desk can ring. */
export async function unlockSound(): Promise<void> {
  if (typeof AudioContext === "undefined") return;
  await deskAudio().resume();
}

/** The two tones, in hertz: a falling third, which is heard as a call and not as an alarm. */
const TONES = [659.26, 523.25] as const;
const TONE_SECONDS = 0.5;
const LOUDNESS = 0.14;
const RING_EVERY_MS = 3000;

/** Rings until it is told to stop. Without a press before it stays silent. Returns what stops it. */
export function ring(): () => void {
  if (context?.state !== "running") return () => {};
  const audio = context;
  const sound = () => play(audio, TONES, TONE_SECONDS, LOUDNESS);
  sound();
  const timer = setInterval(sound, RING_EVERY_MS);
  return () => clearInterval(timer);
}

/** The ring's third the other way, shorter and softer: something to look at, and nothing to answer. */
const CHIME = [523.25, 659.26] as const;
const CHIME_SECONDS = 0.3;
const CHIME_LOUDNESS = 0.09;

/** Sounds once. Without a press before it stays silent. */
export function chime(): void {
  if (context?.state === "running") play(context, CHIME, CHIME_SECONDS, CHIME_LOUDNESS);
}

/** One tone after the other, each of so many seconds. */
function play(audio: AudioContext, tones: readonly number[], seconds: number, loudness: number): void {
  tones.forEach((tone, i) => {
    const from = audio.currentTime + i * seconds;
    const oscillator = new OscillatorNode(audio, { frequency: tone });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(loudness, from + 0.04);
    volume.gain.exponentialRampToValueAtTime(0.001, from + seconds);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(from);
    oscillator.stop(from + seconds);
  });
}
