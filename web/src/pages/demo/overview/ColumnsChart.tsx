/** Counts side by side, such as the hours of a day: one bar each, its urgent part at the foot. */
import { Group } from "@visx/group";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar } from "@visx/shape";
import type { Count } from "../../../records/overview.ts";
import { CALLS, GAP, TEXT, TEXT_SIZE, URGENT } from "./chart-style.ts";
import { useWidth } from "./use-width.ts";

const HEIGHT = 168;
const FOOT = 24;
const HEAD = 20;
/** Numbers above narrower bars would run into each other. */
const NUMBERED_FROM = 7;

interface ColumnsChartProps {
  name: string;
  counts: readonly Count[];
  /** What stands under a bar, if anything. */
  label: (count: Count, place: number) => string | null;
  /** Bars on a ground of their own, from the first up to the second. */
  band?: { from: number; to: number };
}

export function ColumnsChart({ name, counts, label, band }: ColumnsChartProps) {
  const [box, width] = useWidth<HTMLDivElement>();
  const x = scaleBand({ domain: counts.map((_, i) => i), range: [0, width], padding: 0.24 });
  const most = Math.max(1, ...counts.map(({ calls }) => calls));
  const foot = HEIGHT - FOOT;
  const y = scaleLinear({ domain: [0, most], range: [foot, HEAD] });
  const bar = Math.min(x.bandwidth(), 44);
  const middle = (place: number) => (x(place) ?? 0) + x.bandwidth() / 2;
  return (
    <div ref={box} className="w-full overflow-hidden" style={{ height: HEIGHT }}>
      <svg width={width} height={HEIGHT} role="img" aria-label={name}>
        {band && (
          <rect
            x={middle(band.from) - x.step() / 2}
            width={x.step() * (band.to - band.from)}
            height={foot}
            rx={4}
            fill="var(--raised)"
          />
        )}
        {counts.map((count, i) => {
          const { calls, urgent } = count;
          const left = middle(i) - bar / 2;
          const split = y(urgent);
          const gap = urgent > 0 && calls > urgent ? GAP : 0;
          const under = label(count, i);
          return (
            <Group key={count.label}>
              <Bar
                x={left}
                y={y(calls)}
                width={bar}
                height={Math.max(0, split - y(calls) - gap)}
                rx={2}
                fill={CALLS}
              />
              <Bar x={left} y={split} width={bar} height={Math.max(0, foot - split)} rx={2} fill={URGENT} />
              {calls > 0 && bar > NUMBERED_FROM && (
                <text x={middle(i)} y={y(calls) - 6} textAnchor="middle" fontSize={TEXT_SIZE} fill={TEXT}>
                  {calls.toLocaleString("en-SG")}
                </text>
              )}
              {under && (
                <text x={middle(i)} y={HEIGHT - 6} textAnchor="middle" fontSize={TEXT_SIZE} fill={TEXT}>
                  {under}
                </text>
              )}
            </Group>
          );
        })}
        <line x2={width} y1={foot} y2={foot} stroke="var(--line-strong)" />
      </svg>
    </div>
  );
}
