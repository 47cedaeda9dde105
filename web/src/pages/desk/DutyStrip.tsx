/** Whether one is on duty, what that does, and what is missing for it to be heard. */
import { memo, useState } from "react";
import { askForNotifications } from "../../desk/desk-notification.ts";
import { unlockSound } from "../../desk/desk-sound.ts";
import { dutyWords, wrapUpWords } from "../../desk/desk-words.ts";
import { lineTroubleWords } from "../../desk/line-words.ts";
import { BROWSER_LINE } from "../../desk/officer-line.ts";
import { useClock } from "../../desk/use-clock.ts";
import type { Duty } from "../../desk/use-desk.ts";
import { Button } from "../../ui/Button.tsx";
import { PLAIN } from "./desk-style.ts";
import { Trouble } from "./Trouble.tsx";

interface DutyStripProps {
  duty: Duty;
  agencies: readonly string[];
  connected: boolean;
  keys: boolean;
  onKeys: (keys: boolean) => void;
  /** Asked for at going on duty, so that no question stands between a caller and an officer. */
  tryMicrophone?: () => Promise<void>;
}

export const DutyStrip = memo(function DutyStrip({
  duty,
  agencies,
  connected,
  keys,
  onKeys,
  tryMicrophone = openAndClose,
}: DutyStripProps) {
  const [soundOn, setSoundOn] = useState(false);
  const [silent, setSilent] = useState<string | null>(null);
  const onDuty = duty.onDuty === true;

  const prepare = async () => {
    setSilent(null);
    await unlockSound().catch(() => {});
    setSoundOn(true);
    await askForNotifications();
    await tryMicrophone().catch((error: unknown) => setSilent(lineTroubleWords(error)));
  };
  const change = () => {
    void duty.set(!onDuty);
    if (!onDuty) void prepare();
  };

  return (
    <section aria-label="Duty" className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:gap-x-5">
        <Button
          role="switch"
          aria-checked={onDuty}
          aria-label="On duty"
          aria-describedby="duty-words"
          unavailable={duty.onDuty === null || duty.changing}
          onClick={change}
          className="desk-switch"
        >
          <span aria-hidden="true" />
        </Button>
        <p id="duty-words" role="status" className="font-semibold max-sm:basis-40 max-sm:grow">
          {duty.onDuty === null ? "Asking whether you are on duty" : dutyWords(onDuty, agencies, connected)}
        </p>
        {onDuty && duty.wrapUpUntil && <WrapUp until={duty.wrapUpUntil} end={() => void duty.set(true)} />}
        {onDuty && !soundOn && (
          <button type="button" className={PLAIN} onClick={() => void prepare()}>
            Turn on the ring’s sound
          </button>
        )}
        {onDuty && (
          <label className="inline-flex min-h-11 items-center gap-2 text-sm text-quiet max-sm:hidden">
            <input
              type="checkbox"
              checked={keys}
              onChange={(event) => onKeys(event.target.checked)}
              className="size-5 accent-(--lamp-ink)"
            />
            Answer with the keys A and D
          </label>
        )}
      </div>
      <Trouble words={duty.trouble ?? silent} className="empty:hidden" />
    </section>
  );
});

/** Told in the seconds that are left; read out once. */
function WrapUp({ until, end }: { until: string; end: () => void }) {
  const words = wrapUpWords(until, useClock());
  return (
    words && (
      <p className="flex flex-wrap items-center gap-3">
        <span className="tabular-nums">{words}</span>
        <button type="button" className={PLAIN} onClick={end}>
          Ring me now
        </button>
      </p>
    )
  );
}

async function openAndClose(): Promise<void> {
  (await BROWSER_LINE.openMicrophone()).close();
}
