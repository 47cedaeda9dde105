/** The dark front of the block around the lit window: other people's windows, all asleep. Decoration. */
import { useId } from "react";

interface FacadeProps {
  columns: number;
  rows: number;
  className?: string;
}

const CELL_WIDTH = 88;
const CELL_HEIGHT = 112;
/** So many windows beside each other are drawn, and repeated: some with a curtain drawn to a side. */
const CURTAINS = ["", "", "", "M17 19h16v70H17z", "M55 19h16v70H55z"];

export function Facade({ columns, rows, className = "" }: FacadeProps) {
  const id = useId();
  return (
    <svg
      viewBox={`0 0 ${columns * CELL_WIDTH} ${rows * CELL_HEIGHT}`}
      preserveAspectRatio="xMinYMin slice"
      className={className}
      aria-hidden="true"
      focusable="false"
    >
      <pattern
        id={id}
        width={CURTAINS.length * CELL_WIDTH}
        height={CELL_HEIGHT}
        patternUnits="userSpaceOnUse"
      >
        {CURTAINS.map((curtain, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the windows are in place, and have no other identity
          <g key={i} transform={`translate(${i * CELL_WIDTH})`}>
            <rect x="16" y="18" width="56" height="72" rx="2" fill="#0b142b" stroke="#22305a" />
            <path d="M44 18v72M16 42h56" stroke="#22305a" />
            {curtain && <path d={curtain} fill="#1a2649" />}
            <path d="M12 92h64" stroke="#2a3968" strokeWidth="2" />
          </g>
        ))}
      </pattern>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  );
}
