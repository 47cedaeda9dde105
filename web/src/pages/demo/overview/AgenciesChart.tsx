/** Calls by agency: one bar an agency, its urgent part first. */
import { Group } from "@visx/group";
import { scaleBand, scaleLinear } from "@visx/scale";
import { Bar } from "@visx/shape";
import { NOT_APPLICABLE } from "../../../records/call-record.ts";
import { truncate } from "../../../records/format.ts";
import type { Overview } from "../../../records/overview.ts";
import { CALLS, GAP, TEXT, TEXT_SIZE, URGENT } from "./chart-style.ts";
import { useWidth } from "./use-width.ts";

const ROW = 25;
const LABELS = 104;
const NUMBERS = 46;
/** Every agency's own code is shorter. */
const LABEL_LENGTH = 10;

export function AgenciesChart({ overview }: { overview: Overview }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const { agencies } = overview;
  const height = agencies.length * ROW;
  const y = scaleBand({ domain: agencies.map(({ label }) => label), range: [0, height], padding: 0.36 });
  const x = scaleLinear({
    domain: [0, Math.max(1, ...agencies.map(({ calls }) => calls))],
    range: [0, Math.max(0, width - LABELS - NUMBERS)],
  });
  return (
    <div ref={box} className="w-full overflow-hidden" style={{ height }}>
      <svg width={width} height={height} role="img" aria-label="Calls by agency">
        {agencies.map(({ label, calls, urgent }) => {
          const gap = urgent > 0 && calls > urgent ? GAP : 0;
          const middle = y.bandwidth() / 2;
          return (
            <Group key={label} top={y(label) ?? 0}>
              {/* Ten very wide letters end where the bars begin. */}
              {/* biome-ignore lint/a11y/noSvgWithoutTitle: part of a picture that has one */}
              <svg y={middle - ROW / 2} width={LABELS - GAP} height={ROW} overflow="hidden">
                <text y={ROW / 2} dominantBaseline="central" fontSize={TEXT_SIZE} fill="var(--ink)">
                  {label === NOT_APPLICABLE ? label : truncate(label, LABEL_LENGTH)}
                </text>
              </svg>
              <Group left={LABELS}>
                <Bar width={x(urgent)} height={y.bandwidth()} rx={2} fill={URGENT} />
                <Bar
                  x={x(urgent) + gap}
                  width={Math.max(0, x(calls) - x(urgent) - gap)}
                  height={y.bandwidth()}
                  rx={2}
                  fill={CALLS}
                />
                <text x={x(calls) + 8} y={middle} dominantBaseline="central" fontSize={TEXT_SIZE} fill={TEXT}>
                  {calls.toLocaleString("en-SG")}
                </text>
              </Group>
            </Group>
          );
        })}
      </svg>
    </div>
  );
}
