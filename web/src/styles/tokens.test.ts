/** Text that people must read stands out from its ground by 7:1 (WCAG 2.2, AAA), by day and by night. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const AAA = 7;
const SOURCES = path.resolve(import.meta.dirname, "..");
const TOKENS = readFileSync(path.join(import.meta.dirname, "tokens.css"), "utf8");

type Scheme = "light" | "dark";

/** What is written on what; the same in both schemes. */
const PAIRS: readonly (readonly [grounds: readonly string[], text: readonly string[]])[] = [
  [
    ["paper", "surface", "raised"],
    ["ink", "quiet", "link", "lamp-ink", "urgent", "calm"],
  ],
  [["glow"], ["ink"]],
  [["urgent-surface"], ["ink", "urgent"]],
  [["calm-surface"], ["ink", "calm"]],
  [["lamp"], ["on-lamp"]],
  [["ink"], ["paper", "surface"]],
];

/** Grounds that are dark in both schemes: text on them has its dark colours. */
const NIGHT_PAIRS: readonly (readonly [ground: string, text: readonly string[]])[] = [
  ["block", ["ink", "quiet", "link", "lamp-ink", "urgent", "calm"]],
  ["companion", ["ink"]],
  ["dusk", ["ink", "quiet", "link"]],
  ["hearth", ["ink"]],
];

describe.each<Scheme>(["light", "dark"])("in the %s", (scheme) => {
  for (const [grounds, texts] of PAIRS) {
    for (const ground of grounds) {
      test.each(texts)(`%s can be read on ${ground}`, (text) => {
        expect(contrast(colour(text, scheme), colour(ground, scheme))).toBeGreaterThanOrEqual(AAA);
      });
    }
  }
});

describe("at night in both", () => {
  for (const [ground, texts] of NIGHT_PAIRS) {
    test.each(texts)(`%s can be read on ${ground}`, (text) => {
      expect(contrast(colour(text, "dark"), colour(ground, "dark"))).toBeGreaterThanOrEqual(AAA);
    });
  }
});

test("white can be read on Candle's blue", () => {
  expect(contrast("#ffffff", colour("companion", "light"))).toBeGreaterThanOrEqual(AAA);
});

test("every ground and text named together on an element is a pair held here", () => {
  const held = new Set([
    ...PAIRS.flatMap(([grounds, texts]) =>
      grounds.flatMap((ground) => texts.map((text) => `${text} on ${ground}`)),
    ),
    ...NIGHT_PAIRS.flatMap(([ground, texts]) => texts.map((text) => `${text} on ${ground}`)),
  ]);
  const names = [...TOKENS.matchAll(/--color-([\w-]+):/g)].map(([, name]) => name as string);
  const used = new Set<string>();
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: "utf8" })) {
    if (!/\.tsx?$/.test(file) || /\.test\./.test(file)) continue;
    for (const [words] of readFileSync(path.join(SOURCES, file), "utf8").matchAll(/["`][^"`\n]*["`]/g)) {
      const classes = words.slice(1, -1).split(/\s+/);
      const named = (kind: string) => names.filter((name) => classes.includes(`${kind}-${name}`));
      for (const ground of named("bg")) for (const text of named("text")) used.add(`${text} on ${ground}`);
    }
  }
  expect(used.size).toBeGreaterThan(0);
  expect([...used].filter((pair) => !held.has(pair))).toEqual([]);
});

function colour(token: string, scheme: Scheme): string {
  const hex = "(#[0-9a-f]{6})";
  const both = new RegExp(`--${token}: light-dark\\(${hex}, ${hex}\\);`).exec(TOKENS);
  const one = new RegExp(`--${token}: ${hex};`).exec(TOKENS);
  const found = both?.[scheme === "light" ? 1 : 2] ?? one?.[1];
  if (!found) throw new Error(`tokens.css has no colour --${token}`);
  return found;
}

/** The ratio that WCAG defines, of relative luminances. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
