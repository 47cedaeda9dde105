/** What our server is told of a failure in a page, and that nothing the error says is in it. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { placesIn } from "./tell-fault.ts";

const WORDS = "My name is Zephyrine, I live at Quokka Lane";
const SCRIPT = `${location.origin}/assets/DemoRoute-1a2b3c4d.js`;

/** An error as a browser throws it in one of our scripts. */
function thrownAt(place: string, message = WORDS): TypeError {
  const error = new TypeError(message);
  error.stack = `TypeError: ${message}\n    at read (${SCRIPT}:${place})\n    at ${location.origin}/assets/index-5e6f7a8b.js:1:20`;
  return error;
}

let sent: unknown[];
let reported: boolean;
beforeEach(() => {
  vi.resetModules();
  sent = [];
  reported = true;
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.url.endsWith("/api/config")) return Response.json({ errorReporting: reported });
    sent.push([new URL(request.url).pathname, await request.json()]);
    return new Response(null, { status: 204 });
  });
  history.replaceState(null, "", "/Demo?name=Zephyrine#call=0f3b2c44");
});
afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, "", "/");
});

const tellFault = async (error: unknown) => (await import("./tell-fault.ts")).tellFault(error);

describe("a page's failure", () => {
  it("is told by its kind, its page and its places, and by nothing that it says", async () => {
    await tellFault(thrownAt("1:234"));
    const frames = [
      { file: "assets/DemoRoute-1a2b3c4d.js", line: 1, column: 234 },
      { file: "assets/index-5e6f7a8b.js", line: 1, column: 20 },
    ];
    expect(sent).toEqual([["/api/page-fault", { kind: "TypeError", page: "/Demo", frames }]]);
    expect(JSON.stringify(sent)).not.toMatch(/zephyrine|quokka|0f3b2c44/i);
  });

  it("is told nobody where errors are not reported", async () => {
    reported = false;
    await tellFault(thrownAt("1:234"));
    expect(sent).toEqual([]);
  });

  it("is told once, and of one page no more than some", async () => {
    for (const place of ["1:1", "1:1", "1:2", "1:3", "1:4", "1:5", "1:6"]) await tellFault(thrownAt(place));
    expect(sent).toHaveLength(5);
  });

  it.each([WORDS, null, undefined, new Error(WORDS)])(
    "that no script of ours has part in is not told: %s",
    async (error) => {
      if (error instanceof Error)
        error.stack = `Error: ${WORDS}\n    at chrome-extension://abc/assets/x.js:1:2`;
      await tellFault(error);
      expect(sent).toEqual([]);
    },
  );
});

describe("the places of a failure", () => {
  const of = (stack: string) => placesIn(Object.assign(new Error(), { stack }), "https://line.example");

  it("are read as each browser writes them", () => {
    const place = { file: "assets/a-1.js", line: 2, column: 30 };
    for (const line of [
      "    at read (https://line.example/assets/a-1.js:2:30)",
      "    at async https://line.example/assets/a-1.js:2:30",
      "read@https://line.example/assets/a-1.js:2:30",
      "https://line.example/assets/a-1.js:2:30",
    ])
      expect(of(line)).toEqual([place]);
  });

  it("are in scripts of ours alone, without queries and without words", () => {
    for (const line of [
      "    at read (https://elsewhere.example/assets/a-1.js:2:30)",
      "    at read (https://line.example/assets/a-1.js?name=Zephyrine:2:30)",
      "    at read (https://line.example/demo:2:30)",
      "    at read (https://line.example/assets/../Quokka Lane.js:2:30)",
    ])
      expect(of(line)).toEqual([]);
  });
});
