/** What the top bar holds on which page: its colour, its sign, and what stands beside them. */
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Logo } from "../brand/Logo.tsx";
import { paths } from "../paths.ts";
import { notBuiltYet } from "./not-built-yet.ts";

export interface PageBar {
  colour: string;
  home: string;
  sign: ReactNode;
  beside?: ReactNode;
  action?: ReactNode;
}

const ACTION =
  "inline-flex min-h-11 items-center rounded-control bg-lamp px-2.5 text-sm font-bold whitespace-nowrap text-on-lamp hover:bg-[#ffd488] sm:px-4";

const PLAIN: PageBar = { colour: "bg-paper", home: paths.landing, sign: <Logo /> };

const CANDLE: PageBar = {
  colour: "night bar-with-action bg-companion",
  home: paths.companion,
  sign: <Logo name="Candle" />,
};

const BARS: Record<string, PageBar> = {
  [paths.landing]: {
    ...PLAIN,
    colour: "night bg-block",
    beside: (
      <p className="text-sm leading-tight text-quiet max-sm:text-xs">Building with Vapi’s voice platform</p>
    ),
  },
  [paths.companion]: {
    ...CANDLE,
    action: (
      <Link to={paths.candle} className={ACTION}>
        Talk to Candle
      </Link>
    ),
  },
  [paths.candle]: {
    ...CANDLE,
    action: (
      <button type="button" onClick={notBuiltYet.login} className={ACTION}>
        Login
      </button>
    ),
  },
};

export function barOf(pathname: string): PageBar {
  const page = pathname.toLowerCase().replace(/(.)\/+$/, "$1");
  return BARS[page] ?? PLAIN;
}
