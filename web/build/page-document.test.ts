/** What the document of a prerendered page holds, and what must not be in it. */
import { pageDocument } from "./page-document.ts";

const TEMPLATE = '<head><!-- page head --></head><body><div id="root"><!-- page --></div></body>';
const MARKUP =
  '<link rel="preload" as="image" href="/a.svg"/><title>A &amp; B</title><meta name="description" content="It is $&amp; so."/><main>Words</main>';
const PARTS = { origin: undefined, path: "/demo", fonts: ["/f.woff2"], scripts: ["/p.js", "/q.js"] };

test("what belongs in the head goes there, and the page into its place", () => {
  const document = pageDocument(TEMPLATE, MARKUP, PARTS);
  const [head = "", body = ""] = document.split("</head>");
  expect(body).toContain('<div id="root"><main>Words</main></div>');
  expect(head).toContain("<title>A &amp; B</title>");
  expect(head).toContain('property="og:title" content="A &amp; B"');
  expect(head).toContain('property="og:description" content="It is $&amp; so."');
  expect(head).toContain('as="font" type="font/woff2" crossorigin="" href="/f.woff2"');
  for (const script of PARTS.scripts) {
    expect(head).toContain(`rel="modulepreload" fetchpriority="low" crossorigin="" href="${script}"`);
  }
});

test("addresses are whole when the origin is known", () => {
  const document = pageDocument(TEMPLATE, MARKUP, { ...PARTS, origin: "https://night.example" });
  expect(document).toContain('rel="canonical" href="https://night.example/demo"');
  expect(document).toContain('property="og:image" content="https://night.example/social-card.png"');
});

test("the page for paths that lead nowhere is kept out of search engines", () => {
  expect(pageDocument(TEMPLATE, MARKUP, { ...PARTS, path: undefined })).toContain('content="noindex"');
  expect(pageDocument(TEMPLATE, MARKUP, PARTS)).not.toContain("noindex");
});

test("a page without a title or a description is a mistake", () => {
  expect(() => pageDocument(TEMPLATE, "<main>Words</main>", PARTS)).toThrow("/demo has no title");
});

test("a style or a script written into a page is a mistake, which no browser would obey", () => {
  const written = [
    '<p style="color:red">',
    "<style>p{}</style>",
    "<script>go()</script>",
    '<p onclick="go()">',
  ];
  for (const inline of written) {
    expect(() => pageDocument(TEMPLATE, MARKUP + inline, PARTS)).toThrow("/demo holds <");
  }
  expect(pageDocument(TEMPLATE, `${MARKUP}<script type="module" src="/a.js"></script>`, PARTS)).toContain(
    "/a.js",
  );
});
