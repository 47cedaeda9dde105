/** A level as ten segments that light up. */
const HEIGHTS = [
  "h-[40%]",
  "h-[46.6%]",
  "h-[53.2%]",
  "h-[59.8%]",
  "h-[66.4%]",
  "h-[73%]",
  "h-[79.6%]",
  "h-[86.2%]",
  "h-[92.8%]",
  "h-[99.4%]",
];
const SEGMENTS = HEIGHTS.length;

/** How many of the ten segments a level of 0 to 1 lights. */
export function litSegments(level: number): number {
  return Math.round(Math.max(0, Math.min(1, level)) * SEGMENTS);
}

export function SegmentMeter({ label, level }: { label: string; level: number }) {
  const count = litSegments(level);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element `meter` cannot be drawn as segments
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={SEGMENTS}
      aria-valuenow={count}
      className="flex h-9 items-end gap-1"
    >
      {HEIGHTS.map((height, i) => (
        <span
          key={height}
          data-lit={i < count}
          className={`${height} w-2 rounded-full bg-[#2a3968] transition-[background-color,box-shadow] duration-150 data-[lit=true]:bg-lamp data-[lit=true]:shadow-[0_0_10px_rgb(255_197_102/0.65)]`}
        />
      ))}
    </div>
  );
}
