/** The ten-segment meter of the assistant's volume. */
import { useEffect, useState } from "react";
import type { VoiceClient } from "../../voice/voice-client.ts";
import { METER_LABEL } from "./CallAtRest.tsx";
import { SegmentMeter } from "./SegmentMeter.tsx";

export function VolumeMeter({ client, lit }: { client: VoiceClient; lit: boolean }) {
  const [volume, setVolume] = useState(0);
  useEffect(() => {
    const removals = [client.on("volume-level", setVolume), client.on("call-end", () => setVolume(0))];
    return () => {
      for (const remove of removals) remove();
    };
  }, [client]);
  return <SegmentMeter label={METER_LABEL} level={lit ? volume : 0} />;
}
