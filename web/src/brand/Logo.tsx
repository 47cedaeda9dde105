/** A name with its sign: for Nightlight one lit window, for Candle one flame. */
import candle from "./candle.svg";

const SIGNS = { Nightlight: "/favicon.svg", Candle: candle } as const;

export function Logo({ name = "Nightlight" }: { name?: keyof typeof SIGNS }) {
  return (
    <span className="inline-flex items-center gap-2.5">
      <img src={SIGNS[name]} alt="" width={36} height={36} />
      <span className="font-serif text-[1.4rem] font-semibold tracking-tight text-ink">{name}</span>
    </span>
  );
}
