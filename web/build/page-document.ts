/** Puts a page's markup into the document that Vite made: the page's head into the head, the rest in the root. */

interface PageParts {
  /** `https://host`, when it is known: link previews and search engines want whole addresses. */
  origin: string | undefined;
  /** The page's own path; none for the page that stands for every path that leads nowhere. */
  path: string | undefined;
  fonts: readonly string[];
  /** The page's own chunks, fetched together with the entry instead of after it. */
  scripts: readonly string[];
}

/** React writes what belongs in the head (title, description, preloads) before the rest. */
const HEAD_OF_MARKUP = /^(?:<title[^>]*>[^<]*<\/title>|<(?:meta|link)\b[^>]*>)*/;

/** What the server's content policy lets no page hold: styles and scripts written into it. */
const INLINE =
  /<style\b[^>]*>|<script\b(?![^>]*\bsrc=)[^>]*>|<[a-z][^>]*\sstyle="[^"]*"|<[a-z][^>]*\son[a-z]+="[^"]*"/i;

const HEAD = "<!-- page head -->";
const PAGE = "<!-- page -->";

export function pageDocument(template: string, markup: string, parts: PageParts): string {
  const head = HEAD_OF_MARKUP.exec(markup)?.[0] ?? "";
  const title = /<title[^>]*>([^<]*)<\/title>/.exec(head)?.[1];
  const description = /<meta name="description" content="([^"]*)"/.exec(head)?.[1];
  if (!title || !description)
    throw new Error(`the page ${parts.path ?? "404"} has no title or no description`);
  const { origin = "", path } = parts;
  const tags = [
    head,
    `<meta property="og:title" content="${title}"/>`,
    `<meta property="og:description" content="${description}"/>`,
    `<meta property="og:image" content="${origin}/social-card.png"/>`,
    path === undefined ? `<meta name="robots" content="noindex"/>` : "",
    origin && path !== undefined
      ? `<link rel="canonical" href="${origin}${path}"/><meta property="og:url" content="${origin}${path}"/>`
      : "",
    ...parts.fonts.map(
      (font) => `<link rel="preload" as="font" type="font/woff2" crossorigin="" href="${font}"/>`,
    ),
    // After the words and their type: the page can be read without them.
    ...parts.scripts.map(
      (script) => `<link rel="modulepreload" fetchpriority="low" crossorigin="" href="${script}"/>`,
    ),
  ];
  const document = fill(fill(template, HEAD, tags.join("")), PAGE, markup.slice(head.length));
  const inline = INLINE.exec(document)?.[0];
  if (inline)
    throw new Error(`the page ${parts.path ?? "404"} holds ${inline}: write it as a class or a file`);
  return document;
}

function fill(template: string, mark: string, content: string): string {
  if (template.split(mark).length !== 2) throw new Error(`index.html must hold ${mark} once`);
  return template.replace(mark, () => content);
}
