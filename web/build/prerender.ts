/**
 * Renders the public pages when the web app is built, so that they can be read before, and without, any
 * script. A Vite plugin: after the browser's build it makes a second one for Node.js from
 * `src/prerender.tsx`, has that render each page, writes the pages beside the script, and compresses it all.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type ResolvedConfig, type Rolldown } from "vite";
import { pageDocument } from "./page-document.ts";
import { precompress } from "./precompress.ts";

const ENTRY = "src/prerender.tsx";
const MADE_FOR_NODE = "node_modules/.cache/prerender";

/** File by file: the page it holds, and that page's own modules. The server finds them by these names. */
const PAGES = [
  { file: "index.html", at: "/", modules: ["pages/landing/LandingPage.tsx"] },
  { file: "companion.html", at: "/companion", modules: ["pages/companion/CompanionPage.tsx"] },
  { file: "candle.html", at: "/candle", modules: ["pages/candle/CandlePage.tsx"] },
  { file: "demo.html", at: "/demo", modules: ["pages/DemoShell.tsx", "pages/demo/DemoRoute.tsx"] },
  { file: "status.html", at: "/status", modules: ["pages/status/StatusPage.tsx"] },
  { file: "docs/api.html", at: "/docs/api", modules: ["pages/api-docs/ApiDocsPage.tsx"] },
  { file: "desk.html", at: "/desk", modules: ["pages/DeskShell.tsx", "pages/desk/DeskRoute.tsx"] },
  // For every path that leads nowhere.
  { file: "404.html", at: "/404", modules: ["pages/NotFoundPage.tsx"] },
] as const;

/** The two faces of type that every page's first screen is set in. */
const FIRST_FONTS = [
  /atkinson-hyperlegible-next-latin-wght-normal.*\.woff2$/,
  /fraunces-latin-opsz-normal.*\.woff2$/,
];

export function prerender(): Plugin {
  let config: ResolvedConfig;
  let files: Rolldown.OutputBundle = {};
  return {
    name: "nightlight-prerender",
    apply: (_, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle(_, bundle) {
      files = bundle;
    },
    async closeBundle(error?: Error) {
      if (error) return;
      const madeForNode = path.join(config.root, MADE_FOR_NODE);
      await build({
        root: config.root,
        logLevel: "warn",
        build: { ssr: ENTRY, outDir: madeForNode, emptyOutDir: true, sourcemap: false },
      });
      const made = pathToFileURL(path.join(madeForNode, "prerender.js"));
      const { renderPage } = (await import(made.href)) as { renderPage(path: string): Promise<string> };

      const out = path.resolve(config.root, config.build.outDir);
      const template = await readFile(path.join(out, "index.html"), "utf8");
      const fonts = FIRST_FONTS.map((font) => named(files, (file) => font.test(file)));
      for (const { file, at, modules } of PAGES) {
        const markup = await renderPage(at);
        const document = pageDocument(template, markup, {
          origin: process.env.NIGHTLIGHT_PUBLIC_ORIGIN,
          path: file === "404.html" ? undefined : at,
          fonts,
          scripts: scriptsOf(files, modules),
        });
        await mkdir(path.dirname(path.join(out, file)), { recursive: true });
        await writeFile(path.join(out, file), document);
      }
      await precompress(out);
      config.logger.info(`prerendered ${PAGES.map(({ file }) => file).join(", ")}`);
    },
  };
}

/** The chunks of these modules and whatever those import, so that the browser need not find out one by one. */
function scriptsOf(files: Rolldown.OutputBundle, modules: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (file: string) => {
    const chunk = files[file];
    // The entry is named by the document itself.
    if (chunk?.type !== "chunk" || chunk.isEntry || found.has(`/${file}`)) return;
    found.add(`/${file}`);
    for (const imported of chunk.imports) add(imported);
  };
  for (const module of modules) {
    const own = named(files, (_, chunk) => chunk?.facadeModuleId?.endsWith(module) ?? false);
    add(own.slice(1));
  }
  return [...found];
}

function named(
  files: Rolldown.OutputBundle,
  wanted: (file: string, chunk: Rolldown.OutputChunk | null) => boolean,
): string {
  const found = Object.values(files).find((file) =>
    wanted(file.fileName, file.type === "chunk" ? file : null),
  );
  if (!found) throw new Error("a file that the prerendered pages name is not among those built");
  return `/${found.fileName}`;
}
