/** A short state in a rounded frame: told by word, colour and, where it matters, an icon. */
import type { ReactNode } from "react";

export type PillTone = "plain" | "urgent" | "calm" | "lamp";

const TONES: Record<PillTone, string> = {
  plain: "border-line text-quiet",
  urgent: "border-urgent/40 bg-urgent-surface text-urgent font-bold",
  calm: "border-calm/30 bg-calm-surface text-calm",
  lamp: "border-lamp-ink/40 bg-glow text-ink font-semibold",
};

export function Pill({
  tone = "plain",
  icon,
  children,
}: {
  tone?: PillTone;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-sm whitespace-nowrap ${TONES[tone]}`}
    >
      {icon}
      {children}
    </span>
  );
}
