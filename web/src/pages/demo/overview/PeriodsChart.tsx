/** Calls over time: one bar a period, its urgent part at the foot. */
import { AxisBottom } from "@visx/axis";
import { Group } from "@visx/group";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar } from "@visx/shape";
import type { Overview } from "../../../records/overview.ts";
import { CALLS, GAP, TEXT, TEXT_SIZE, URGENT } from "./chart-style.ts";
import { periodsWords } from "./overview-words.ts";
import { useWidth } from "./use-width.ts";

const HEIGHT = 188;
const FOOT = 24;
const HEAD = 20;
/** A label of a period takes about this much. */
const LABEL_WIDTH = 62;

export function PeriodsChart({ overview }: { overview: Overview }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const { periods } = overview;
  const x = scaleBand({ domain: periods.map((_, i) => i), range: [0, width], padding: 0.28 });
  const y = scaleLinear({
    domain: [0, Math.max(1, ...periods.map(({ calls }) => calls))],
    range: [HEIGHT - FOOT, HEAD],
  });
  const bar = Math.min(x.bandwidth(), 44);
  const foot = HEIGHT - FOOT;
  const every = Math.ceil((periods.length * LABEL_WIDTH) / Math.max(1, width));
  return (
    <div ref={box} className="w-full overflow-hidden" style={{ height: HEIGHT }}>
      <svg width={width} height={HEIGHT} role="img" aria-label={periodsWords(overview)}>
        {periods.map(({ label, calls, urgent }, i) => {
          const left = (x(i) ?? 0) + (x.bandwidth() - bar) / 2;
          const split = y(urgent);
          const gap = urgent > 0 && calls > urgent ? GAP : 0;
          return (
            <Group key={label}>
              <Bar
                x={left}
                y={y(calls)}
                width={bar}
                height={Math.max(0, split - y(calls) - gap)}
                rx={2}
                fill={CALLS}
              />
              <Bar x={left} y={split} width={bar} height={Math.max(0, foot - split)} rx={2} fill={URGENT} />
              {calls > 0 && bar > 9 && (
                <text
                  x={left + bar / 2}
                  y={y(calls) - 6}
                  textAnchor="middle"
                  fontSize={TEXT_SIZE}
                  fill={TEXT}
                >
                  {calls.toLocaleString("en-SG")}
                </text>
              )}
            </Group>
          );
        })}
        <AxisBottom
          scale={x}
          top={foot}
          tickValues={periods.map((_, i) => i).filter((i) => i % every === 0)}
          tickFormat={(i) => periods[i]?.label ?? ""}
          tickLength={3}
          hideTicks
          stroke="var(--line-strong)"
          tickLabelProps={{ fill: TEXT, fontSize: TEXT_SIZE, fontFamily: "inherit", textAnchor: "middle" }}
        />
      </svg>
    </div>
  );
}
