/** How many of the completed calls were urgent: one bar, divided, with a word at either part. */
import { scaleLinear } from "@visx/scale";
import { Bar } from "@visx/shape";
import type { Overview } from "../../../records/overview.ts";
import { CALLS, GAP, TEXT, TEXT_SIZE, URGENT } from "./chart-style.ts";
import { useWidth } from "./use-width.ts";

const BAR = 24;
const HEIGHT = BAR + 24;

export function UrgentShare({ overview: { completed, urgent } }: { overview: Overview }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const x = scaleLinear({ domain: [0, Math.max(1, completed)], range: [0, width] });
  const gap = urgent > 0 && urgent < completed ? GAP : 0;
  return (
    <div ref={box} className="w-full overflow-hidden" style={{ height: HEIGHT }}>
      <svg width={width} height={HEIGHT} role="img" aria-label="Share of urgent calls">
        <Bar width={x(urgent)} height={BAR} rx={2} fill={URGENT} />
        <Bar
          x={x(urgent) + gap}
          width={Math.max(0, x(completed - urgent) - gap)}
          height={BAR}
          rx={2}
          fill={CALLS}
        />
        <text y={HEIGHT - 5} fontSize={TEXT_SIZE} fill={TEXT}>
          {`Urgent ${urgent.toLocaleString("en-SG")}`}
        </text>
        <text x={width} y={HEIGHT - 5} textAnchor="end" fontSize={TEXT_SIZE} fill={TEXT}>
          {`Not urgent ${(completed - urgent).toLocaleString("en-SG")}`}
        </text>
      </svg>
    </div>
  );
}
