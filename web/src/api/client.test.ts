/** What every request to our server has in common: where it goes, how long it waits, and how a refusal is told. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { api, at, outlivingThePage, Refusal, told, within } from "./client.ts";

let asked: Request[];
let answer: () => Response | Promise<Response>;

beforeEach(() => {
  asked = [];
  answer = () => Response.json({ onDuty: true });
  vi.stubGlobal("fetch", async (request: Request, init?: RequestInit) => {
    asked.push(new Request(request, init));
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const refusedWith = (status: number, body: BodyInit | null, headers: HeadersInit = {}) => {
  answer = () => new Response(body, { status, headers });
  return api.GET("/api/desk/duty").then(
    () => null,
    (error: unknown) => error,
  );
};

describe("a request", () => {
  it("goes to this site with its session, and is kept by nobody", async () => {
    expect(await told(api.GET("/api/desk/duty"))).toEqual({ onDuty: true });
    const [request] = asked;
    expect(request?.url).toBe(`${location.origin}/api/desk/duty`);
    expect(request).toMatchObject({ method: "GET", cache: "no-store", credentials: "same-origin" });
    expect(request?.headers.get("Accept")).toBe("application/json");
  });

  it("goes to one node by its name, whatever is in that", async () => {
    await api.GET("/api/desk/duty", at("north/2"));
    await api.GET("/api/desk/duty", at(null));
    expect(asked.map(({ url }) => url.replace(location.origin, ""))).toEqual([
      "/node/north%2F2/api/desk/duty",
      "/api/desk/duty",
    ]);
  });

  it("names what it is about in its path, whatever is in that", async () => {
    answer = () => new Response(null, { status: 204 });
    expect(
      await told(api.POST("/api/desk/cases/{id}/take", { params: { path: { id: "a/b?" } } })),
    ).toBeUndefined();
    expect(asked[0]?.url).toBe(`${location.origin}/api/desk/cases/a%2Fb%3F/take`);
  });

  it("waits ten seconds for its answer, or as long as it is told", async () => {
    const bounds: number[] = [];
    vi.spyOn(AbortSignal, "timeout").mockImplementation((bound) => {
      bounds.push(bound);
      return new AbortController().signal;
    });
    await api.GET("/api/desk/duty");
    await api.GET("/api/desk/duty", { fetch: within(2000) });
    await api.GET("/api/desk/duty", { fetch: outlivingThePage });
    expect(bounds).toEqual([10_000, 2000]);
  });

  it("is given up when who asked no longer wants to know", async () => {
    answer = () => new Promise(() => {});
    const wanted = new AbortController();
    void api.GET("/api/desk/duty", { signal: wanted.signal });
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    wanted.abort();
    expect(asked[0]?.signal.aborted).toBe(true);
  });
});

describe("a refusal", () => {
  it("has the server's code and words, and when to ask again", async () => {
    const body = JSON.stringify({ code: "too-often", message: "wait a moment", error: "", statusCode: 429 });
    const refusal = await refusedWith(429, body, { "Retry-After": "7" });
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({
      status: 429,
      code: "too-often",
      told: "wait a moment",
      againAfterSeconds: 7,
    });
  });

  it("has no words in what the console shows of it", async () => {
    const body = JSON.stringify({ code: "call-taken", message: "Farid has taken this call" });
    expect(String(await refusedWith(409, body))).toBe("Refusal: the server answered 409 call-taken");
  });

  it.each([null, "a proxy's page", "[]", '{"code":7}'])("of a proxy is one too: %j", async (body) => {
    const refusal = await refusedWith(502, body, { "Retry-After": "soon" });
    expect(refusal).toMatchObject({ status: 502, code: "", told: "", againAfterSeconds: null });
  });

  it("is not that nobody answers", async () => {
    answer = () => Promise.reject(new TypeError("failed to fetch"));
    await expect(api.GET("/api/desk/duty")).rejects.toBeInstanceOf(TypeError);
  });
});
