/** The report of an audit as text, and whether every goal was reached. */
export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Audited {
  page: string;
  device: "mobile" | "desktop";
  goals: Record<Category, number>;
  scores: Record<Category, number>;
  missed: string[];
}

export interface Circumstances {
  date: Date;
  machine: string;
  lighthouse: string;
  runs: number;
}

/** The other thing that is audited: what all of it is made of. */
const BILL_OF_MATERIALS = `## What it is made of

\`make sbom\` writes it as CycloneDX 1.5 into \`target/sbom/\`: \`nightlight.cdx.json\`, the program's crates on every platform, by
cargo-cyclonedx; \`web.cdx.json\`, the web app's packages and its tools, by \`npm sbom\` from the lock file. It fails where a locked
package is missing or has no licence. What is only for Rust's tests does not ship and is in neither; the engines and models that
\`make setup\` fetches are named in \`THIRD-PARTY-NOTICES.md\`.`;

export function reportOf(audited: readonly Audited[], by: Circumstances): { text: string; reached: boolean } {
  const reached = audited.every(({ goals, scores }) =>
    CATEGORIES.every((category) => scores[category] >= goals[category]),
  );
  const rows = audited.map(({ page, device, goals, scores }) => {
    const cells = CATEGORIES.map((category) =>
      scores[category] >= goals[category]
        ? `${scores[category]}`
        : `**${scores[category]}** (goal ${goals[category]})`,
    );
    return `| ${page} | ${device} | ${cells.join(" | ")} |`;
  });
  const notes = audited
    .filter(({ missed }) => missed.length > 0)
    .map(({ page, device, missed }) => `- ${page}, ${device}: ${missed.join("; ")}.`);
  const text = [
    "# Audit of the pages",
    "",
    `Written by \`make audit\` on ${by.date.toISOString().slice(0, 10)}: ${by.lighthouse}, Debian's Chromium, the built site served`,
    `by the server itself; ${by.runs === 1 ? "one run each" : `the middle of ${by.runs} runs each`}, on ${by.machine}. "Mobile" is Lighthouse's slow phone`,
    "(a processor four times slower, 1.6 Mbit/s, 150 ms), simulated.",
    "",
    "| page | device | performance | accessibility | best practices | SEO |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
    reached ? "Every page reaches its goal." : "A goal that was missed is in bold.",
    ...(notes.length > 0 ? ["", "What Lighthouse would have liked better:", "", ...notes] : []),
    "",
    BILL_OF_MATERIALS,
    "",
  ].join("\n");
  return { text, reached };
}
