/** Tries a microphone while it is being checked: its level, whether a voice was heard, and what else there is. */
import { type RefObject, useEffect, useState } from "react";
import type { Microphones } from "../../voice/browser-parts.ts";
import { OBSERVE_EVERY_MS, SpeechDetector, volumeOf } from "../../voice/levels.ts";
import type { Microphone, MicrophoneDevice } from "../../voice/microphone.ts";
import { VoiceError, type VoiceTrouble } from "../../voice/voice-error.ts";

/** A microphone that has heard nothing by then may be muted, or the wrong one. */
const HINT_AFTER_MS = 6000;

export interface MicrophoneTrial {
  state: "opening" | "open" | "failed";
  trouble: VoiceTrouble | null;
  devices: readonly MicrophoneDevice[];
  /** The device that is being tried, where the browser says which it is. */
  deviceId: string | null;
  /** 0 to 1. */
  level: number;
  heard: "nothing yet" | "nothing for long" | "a voice";
}

const OPENING: MicrophoneTrial = {
  state: "opening",
  trouble: null,
  devices: [],
  deviceId: null,
  level: 0,
  heard: "nothing yet",
};

/**
 * `wanted` is a device's id, or null for the browser's own choice. While it is `deaf`, what comes in is the page's
 * own sound, and counts for nothing.
 */
export function useMicrophoneTrial(
  microphones: Microphones,
  wanted: string | null,
  deaf: RefObject<boolean>,
): MicrophoneTrial {
  const [trial, setTrial] = useState<MicrophoneTrial>(OPENING);
  useEffect(() => {
    let over = false;
    let opened: Microphone | null = null;
    let observer: ReturnType<typeof setInterval> | undefined;
    const change = (part: Partial<MicrophoneTrial>) => {
      if (!over) setTrial((before) => ({ ...before, ...part }));
    };
    const list = async () => change({ devices: await microphones.list() });
    const observe = (microphone: Microphone) => {
      const speech = new SpeechDetector();
      let listeningSince = performance.now();
      let heard = false;
      observer = setInterval(() => {
        const now = performance.now();
        if (deaf.current) {
          listeningSince = now;
          return change({ level: 0 });
        }
        const level = microphone.level();
        speech.observe(level, now);
        heard ||= speech.speaking;
        const silence = now - listeningSince > HINT_AFTER_MS ? "nothing for long" : "nothing yet";
        change({ level: volumeOf(level), heard: heard ? "a voice" : silence });
      }, OBSERVE_EVERY_MS);
    };
    const open = async () => {
      change({ ...OPENING, devices: await microphones.list() });
      try {
        opened = await microphones.open(wanted);
        if (over) return opened.close();
        change({ state: "open", deviceId: opened.deviceId });
        observe(opened);
        await list();
      } catch (error) {
        console.error("the microphone could not be tried", error);
        change({ state: "failed", trouble: VoiceError.from(error, "microphone-failed").trouble });
      }
    };
    void open();
    navigator.mediaDevices?.addEventListener?.("devicechange", list);
    return () => {
      over = true;
      navigator.mediaDevices?.removeEventListener?.("devicechange", list);
      clearInterval(observer);
      opened?.close();
    };
  }, [microphones, wanted, deaf]);
  return trial;
}
