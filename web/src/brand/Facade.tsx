/** The dark front of the block around the lit window: other people's windows, all asleep. Decoration. */
interface FacadeProps {
  columns: number;
  rows: number;
  className?: string;
}

const CELL_WIDTH = 88;
const CELL_HEIGHT = 112;

export function Facade({ columns, rows, className = "" }: FacadeProps) {
  const cells = Array.from({ length: columns * rows }, (_, i) => ({
    x: (i % columns) * CELL_WIDTH,
    y: Math.floor(i / columns) * CELL_HEIGHT,
    curtain: (i * 7 + Math.floor(i / columns) * 3) % 5,
  }));
  return (
    <svg
      viewBox={`0 0 ${columns * CELL_WIDTH} ${rows * CELL_HEIGHT}`}
      preserveAspectRatio="xMinYMin slice"
      className={className}
      aria-hidden="true"
      focusable="false"
    >
      {cells.map(({ x, y, curtain }) => (
        <g key={`${x} ${y}`} transform={`translate(${x} ${y})`}>
          <rect x="16" y="18" width="56" height="72" rx="2" fill="#0b142b" stroke="#22305a" />
          <path d="M44 18v72M16 42h56" stroke="#22305a" />
          {curtain === 1 && <path d="M17 19h16v70H17z" fill="#1b2850" />}
          {curtain === 3 && <path d="M55 19h16v70H55z" fill="#182448" />}
          <path d="M12 92h64" stroke="#2a3968" strokeWidth="2" />
        </g>
      ))}
    </svg>
  );
}
