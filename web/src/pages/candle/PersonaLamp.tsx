/** The personas' faces: a candle in a jar and a paper lantern, in the dark. Decoration; the name stands beside it. */
import type { Persona } from "./personas.ts";

export type LampMood = "resting" | "connecting" | "talking";

export function PersonaLamp({
  name,
  mood = "resting",
  className = "",
}: {
  name: Persona["name"];
  mood?: LampMood;
  className?: string;
}) {
  return (
    <svg viewBox="0 0 160 160" className={`persona-lamp ${className}`} data-mood={mood} aria-hidden="true">
      <defs>
        <radialGradient id={`light-${name}`}>
          <stop offset="0" stopColor="#fff1c9" stopOpacity=".95" />
          <stop offset=".35" stopColor="#ffc566" stopOpacity=".5" />
          <stop offset="1" stopColor="#ffc566" stopOpacity="0" />
        </radialGradient>
      </defs>
      <circle cx="80" cy="80" r="80" fill="#142a61" />
      <circle className="persona-glow" cx="80" cy="82" r="80" fill={`url(#light-${name})`} />
      {name === "Ember" ? <Jar /> : <Lantern />}
    </svg>
  );
}

function Jar() {
  return (
    <>
      <path d="M44 38h72v82c0 10-7 16-17 16H61c-10 0-17-6-17-16z" fill="#ffe9bf" opacity=".3" />
      <path d="M50 100h60v20c0 7-4 11-12 11H62c-8 0-12-4-12-11z" fill="#fff1d6" />
      <path d="M80 100V90" stroke="#3a2609" strokeWidth="4" />
      <g className="persona-flame">
        <path d="M80 46c15 18 16 29 9 38-5 6-13 6-18 0-7-9-6-20 9-38z" fill="#f59a23" />
        <path d="M80 64c7 9 8 15 4 20-2 3-6 3-8 0-4-5-3-11 4-20z" fill="#fff6df" />
      </g>
      <path d="M44 38h72" stroke="#fff6df" strokeWidth="5" strokeLinecap="round" />
    </>
  );
}

function Lantern() {
  return (
    <>
      <path d="M80 14v22" stroke="#c9781a" strokeWidth="3" />
      <path d="M62 36h36v8H62zM66 120h28v7H66z" fill="#c9781a" />
      <g className="persona-flame">
        <path d="M62 44h36c34 14 34 62 0 76H62c-34-14-34-62 0-76z" fill="#ffb23e" />
        <path d="M70 44h20c16 14 16 62 0 76H70c-16-14-16-62 0-76z" fill="#ffdd96" />
      </g>
      <path d="M44 62h72M38 82h84M44 102h72" stroke="#c9781a" strokeWidth="2" opacity=".55" />
      <path d="M80 127v16M74 143h12" stroke="#c9781a" strokeWidth="3" />
    </>
  );
}
