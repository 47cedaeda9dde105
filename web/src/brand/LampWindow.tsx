/** The lamp in its window: the assistant's face. Decoration; its state is also told in words beside it. */
import type { Ref } from "react";

export type LampState = "idle" | "connecting" | "listening" | "speaking" | "trouble";

interface LampWindowProps {
  state: LampState;
  /** For setting `--level` without rendering. */
  ref?: Ref<SVGSVGElement>;
  className?: string;
}

export function LampWindow({ state, ref, className = "" }: LampWindowProps) {
  return (
    <svg
      ref={ref}
      viewBox="0 0 240 280"
      className={`lamp-window ${className}`}
      data-state={state}
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <radialGradient id="lamp-glow">
          <stop offset="0" stopColor="#ffcf7d" stopOpacity="0.62" />
          <stop offset="0.45" stopColor="#ffc566" stopOpacity="0.2" />
          <stop offset="1" stopColor="#ffc566" stopOpacity="0" />
        </radialGradient>
        <radialGradient id="lamp-pool" cx="0.5" cy="0.5" r="0.6">
          <stop offset="0" stopColor="#fff1c9" stopOpacity="0.9" />
          <stop offset="0.5" stopColor="#ffdd96" stopOpacity="0.55" />
          <stop offset="1" stopColor="#ffc566" stopOpacity="0" />
        </radialGradient>
      </defs>
      <circle className="glow" cx="120" cy="136" r="190" fill="url(#lamp-glow)" />
      <g>
        <circle
          className="halo halo-connecting"
          cx="120"
          cy="136"
          r="150"
          strokeDasharray="3 16"
          strokeLinecap="round"
        />
        <circle className="halo halo-listening" cx="120" cy="136" r="150" />
        <path
          className="halo halo-speaking"
          d="M-6 62 A146 146 0 0 0 -6 210 M246 62 A146 146 0 0 1 246 210"
        />
        <path
          className="halo halo-speaking outer"
          d="M-28 46 A174 174 0 0 0 -28 226 M268 46 A174 174 0 0 1 268 226"
        />
      </g>
      {/* The frame, the pane and its light, the curtains. */}
      <rect x="36" y="24" width="168" height="224" rx="6" fill="#0a1226" />
      <rect x="44" y="32" width="152" height="208" rx="2" fill="#16244a" />
      <rect className="lit" x="44" y="32" width="152" height="208" rx="2" fill="#f2ac45" />
      <rect className="lit" x="44" y="32" width="152" height="208" rx="2" fill="url(#lamp-pool)" />
      <path d="M44 32h30c2 60-6 132-30 176z" fill="#0a1226" opacity="0.42" />
      <path d="M196 32h-30c-2 60 6 132 30 176z" fill="#0a1226" opacity="0.42" />
      <path d="M120 32v66M44 98h152" stroke="#0a1226" strokeWidth="4" opacity="0.55" />
      {/* The lamp on the sill. */}
      <path className="shade" d="M100 118h40l18 50H82z" />
      <path className="lamp-body" d="M117.5 168h5v46h-5zM100 214c4-7 12-9 20-9s16 2 20 9v6h-40z" />
      <path d="M28 240h184v12a4 4 0 0 1-4 4H32a4 4 0 0 1-4-4z" fill="#1a2748" />
      <path d="M28 240h184v3H28z" fill="#ffc566" className="opacity-[calc(var(--light)*0.7)]" />
    </svg>
  );
}
