/** The ten-segment meter of the assistant's volume. */
import { useEffect, useState } from "react";
import type { VoiceClient } from "../../voice/voice-client.ts";

const SEGMENTS = 10;

/** How many of the ten segments a volume of 0 to 1 lights. */
export function litSegments(volume: number): number {
  return Math.round(Math.max(0, Math.min(1, volume)) * SEGMENTS);
}

export function VolumeMeter({ client, lit }: { client: VoiceClient; lit: boolean }) {
  const [volume, setVolume] = useState(0);
  useEffect(() => {
    const removals = [client.on("volume-level", setVolume), client.on("call-end", () => setVolume(0))];
    return () => {
      for (const remove of removals) remove();
    };
  }, [client]);

  const count = lit ? litSegments(volume) : 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element `meter` cannot be drawn as segments
    <div
      role="meter"
      aria-label="Volume of the assistant’s voice"
      aria-valuemin={0}
      aria-valuemax={SEGMENTS}
      aria-valuenow={count}
      className="flex h-9 items-end gap-1"
    >
      {Array.from({ length: SEGMENTS }, (_, i) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the segments are ten, in place, and have no other identity
          key={i}
          data-lit={i < count}
          style={{ height: `${40 + i * 6.6}%` }}
          className="w-2 rounded-full bg-[#2a3968] transition-[background-color,box-shadow] duration-150 data-[lit=true]:bg-lamp data-[lit=true]:shadow-[0_0_10px_rgb(255_197_102/0.65)]"
        />
      ))}
    </div>
  );
}
