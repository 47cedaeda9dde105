/** Up to the emergency numbers, where a conversation has taken their place in view. */
import { Button } from "../../ui/Button.tsx";
import { EMERGENCY_BAR_ID } from "../../ui/EmergencyBar.tsx";

export function ToTheNumbers() {
  return (
    <Button
      aria-label="Emergency numbers"
      onClick={() => {
        const bar = document.getElementById(EMERGENCY_BAR_ID);
        bar?.focus({ preventScroll: true });
        bar?.scrollIntoView({ block: "start", behavior: "instant" });
      }}
      className="call-only-small ml-auto min-h-11 items-center rounded-control text-sm font-semibold whitespace-nowrap underline decoration-ink/40 underline-offset-4"
    >
      <span className="call-folds">Emergency numbers</span>
      <span className="call-unfolds">Numbers</span>
    </Button>
  );
}
