/** How the hosted platform is asked for a call, and what is said when it or our server refuses. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createHostedCall } from "./hosted-call.ts";

const PLATFORM = { baseUrl: "https://platform.example/", publicKey: "public-1", isHosted: true };
const TARGET = { squad: "squad-1", assistantOverrides: { variableValues: { agency: "", notice: "n" } } };
const ROOM = { id: "call-1", webCallUrl: "https://vapi.daily.co/room-1" };
const signal = () => new AbortController().signal;

let asked: { url: string; request: Request }[];
/** What is answered, by path or address; a missing one is nobody there. */
let answers: Record<string, Response>;

beforeEach(() => {
  asked = [];
  answers = {
    "/api/call-ticket": Response.json({ ticket: "sealed" }, { status: 201 }),
    "https://platform.example/call/web": Response.json(ROOM, { status: 201 }),
  };
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.stubGlobal("fetch", async (request: Request) => {
    const url = request.url.replace(location.origin, "");
    asked.push({ url, request });
    const answer = answers[url];
    if (!answer) throw new TypeError("failed to fetch");
    return answer;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const bodySent = () => asked.at(-1)?.request.clone().json();

it("asks the platform with its own key, for the squad, with a ticket of our server's", async () => {
  const call = await createHostedCall(PLATFORM, TARGET, signal());
  expect(call).toEqual({ ...ROOM, heldBy: "hosted" });
  expect(asked.map(({ url }) => url)).toEqual(["/api/call-ticket", "https://platform.example/call/web"]);
  expect(asked[1]?.request.headers.get("Authorization")).toBe("Bearer public-1");
  const overrides = { variableValues: { agency: "", notice: "n", ticket: "sealed" } };
  expect(await bodySent()).toEqual({
    squadId: "squad-1",
    assistantOverrides: overrides,
    squadOverrides: overrides,
    roomDeleteOnUserLeaveEnabled: true,
  });
});

it("an assistant alone has no overrides of a squad", async () => {
  await createHostedCall(PLATFORM, { assistant: "assistant-1" }, signal());
  expect(await bodySent()).toEqual({
    assistantId: "assistant-1",
    assistantOverrides: { variableValues: { ticket: "sealed" } },
    roomDeleteOnUserLeaveEnabled: true,
  });
});

it("goes on without a ticket where none can be had", async () => {
  delete answers["/api/call-ticket"];
  expect(await createHostedCall(PLATFORM, TARGET, signal())).toMatchObject({ id: "call-1" });
  expect((await bodySent()).assistantOverrides.variableValues).not.toHaveProperty("ticket");
});

it("begins no call where our server says that none may begin", async () => {
  for (const [status, trouble] of [
    [429, "lines-busy"],
    [503, "lines-busy"],
    [409, "call-refused"],
  ] as const) {
    answers["/api/call-ticket"] = Response.json({}, { status });
    await expect(createHostedCall(PLATFORM, TARGET, signal())).rejects.toMatchObject({ trouble });
  }
  expect(asked.every(({ url }) => url === "/api/call-ticket")).toBe(true);
});

it("tells which of the two cannot be reached, and what a refusal means", async () => {
  delete answers["https://platform.example/call/web"];
  await expect(createHostedCall(PLATFORM, TARGET, signal())).rejects.toMatchObject({
    trouble: "platform-unreachable",
  });
  for (const [status, trouble] of [
    [401, "call-refused"],
    [429, "lines-busy"],
  ] as const) {
    answers["/api/call-ticket"] = Response.json({ ticket: "sealed" });
    answers["https://platform.example/call/web"] = Response.json({}, { status });
    await expect(createHostedCall(PLATFORM, TARGET, signal())).rejects.toMatchObject({ trouble });
  }
});
