/** A written conversation: what is asked of the server, and what the page makes of the answers. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { ChatIsOver, ChatMovedOn, createChat, endChat, readChat } from "./chat-api.ts";
import { changeWritten, NOT_WRITING, unsentText, type WrittenChange } from "./written-state.ts";

const PLATFORM = { baseUrl: "http://server", publicKey: "public" };
const never = new AbortController().signal;

/** Answers every request in this way, and tells what was asked. */
function answering(status: number, body: unknown = {}) {
  const fetched = vi.fn(async (_request: Request) => new Response(JSON.stringify(body), { status }));
  vi.stubGlobal("fetch", fetched);
  return async () => {
    const [request] = fetched.mock.lastCall ?? [];
    if (!request) throw new Error("nothing was asked");
    const { url, method, keepalive } = request;
    const key = request.headers.get("Authorization");
    return { url, method, keepalive, key, body: request.body && (await request.json()) };
  };
}
afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a chat", () => {
  it("is asked for with the page's key, an assistant or the chat before, and what is said", async () => {
    const asked = answering(201, { id: "c0" });
    await createChat(PLATFORM, { with: { assistant: "helpline" } }, "", never);
    expect(await asked()).toMatchObject({
      url: "http://server/chat",
      method: "POST",
      key: "Bearer public",
      body: { assistantId: "helpline", input: "" },
    });
    await createChat(PLATFORM, { after: "c0" }, "hello", never);
    expect((await asked()).body).toEqual({ previousChatId: "c0", input: "hello" });
    await createChat(PLATFORM, { with: { squad: "s" } }, "", never);
    expect((await asked()).body).toEqual({ squadId: "s", input: "" });
  });

  it("is read from the answer, with what the hosted platform leaves out left out", () => {
    expect(
      readChat({
        id: "c1",
        sessionId: "conversation",
        input: [{ role: "user", content: "hi" }],
        output: [
          { role: "assistant", content: "I am here." },
          { role: "tool", content: "hidden" },
          { role: "assistant", content: " " },
          { role: "assistant", content: null },
          null,
        ],
        status: "ended",
        endedReason: "assistant-forwarded-call",
        transfer: { mode: "warm", agency: "SOS" },
      }),
    ).toEqual({
      id: "c1",
      conversation: "conversation",
      said: ["I am here."],
      endedReason: "assistant-forwarded-call",
      transferTo: "SOS",
    });
    expect(readChat({ id: "c0", output: "odd" })).toEqual({
      id: "c0",
      conversation: "c0",
      said: [],
      endedReason: null,
      transferTo: null,
    });
    expect(readChat({ id: "c0", status: "ended" })?.endedReason).toBe("");
  });

  it.each([null, [], {}, { id: 7 }, "text"])("%j is none", (answer) => {
    expect(readChat(answer)).toBeNull();
  });

  it.each([
    [503, "lines-busy"],
    [429, "lines-busy"],
    [502, "server-unreachable"],
    [500, "call-refused"],
    [200, "call-refused"],
  ])("that is answered %d with nothing to read is %s", async (status, trouble) => {
    answering(status, "nothing");
    await expect(createChat(PLATFORM, { after: "c0" }, "hello", never)).rejects.toMatchObject({ trouble });
  });

  it("tells apart that the conversation has moved on, and that it is over", async () => {
    answering(409);
    await expect(createChat(PLATFORM, { after: "c0" }, "x", never)).rejects.toBeInstanceOf(ChatMovedOn);
    answering(410);
    await expect(createChat(PLATFORM, { after: "c0" }, "x", never)).rejects.toBeInstanceOf(ChatIsOver);
  });

  it("is not reached when the server does not answer", async () => {
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("failed to fetch");
    });
    await expect(createChat(PLATFORM, { after: "c0" }, "x", never)).rejects.toMatchObject({
      trouble: "server-unreachable",
    });
    await expect(endChat(PLATFORM, "c0")).resolves.toBeUndefined();
  });

  it("is ended in a way that outlives the page", async () => {
    const asked = answering(200);
    await endChat(PLATFORM, "c/1");
    expect(await asked()).toMatchObject({
      url: "http://server/chat/c%2F1",
      method: "DELETE",
      keepalive: true,
    });
  });
});

describe("a written conversation", () => {
  const stateAfter = (...changes: WrittenChange[]) => changes.reduce(changeWritten, NOT_WRITING);
  const greeted: WrittenChange[] = [
    { type: "start-pressed" },
    { type: "answered", said: ["Hello.", "Are you safe?"], endedReason: null },
  ];
  const lines = (...changes: WrittenChange[]) =>
    stateAfter(...changes).lines.map(({ speaker, text, unsent }) => [speaker, text, unsent]);

  it("is active once the assistant has greeted", () => {
    expect(stateAfter({ type: "start-pressed" }).status).toBe("loading");
    expect(stateAfter(...greeted).status).toBe("active");
    expect(lines(...greeted)).toEqual([
      ["assistant", "Hello.", false],
      ["assistant", "Are you safe?", false],
    ]);
  });

  it("could not start: error, and whose trouble it is", () => {
    expect(
      stateAfter({ type: "start-pressed" }, { type: "start-failed", trouble: "lines-busy" }),
    ).toMatchObject({
      status: "error",
      trouble: "lines-busy",
    });
  });

  it("shows what was written at once, and awaits the answer", () => {
    const state = stateAfter(...greeted, { type: "written", text: "No" });
    expect(state).toMatchObject({ awaited: true, status: "active" });
    expect(state.lines.at(-1)).toMatchObject({ speaker: "caller", text: "No" });
  });

  it("keeps what was not sent, and shows it once when it is sent again", () => {
    const failed: WrittenChange[] = [
      ...greeted,
      { type: "written", text: "No" },
      { type: "not-sent", trouble: "server-unreachable" },
    ];
    expect(unsentText(stateAfter(...failed))).toBe("No");
    expect(stateAfter(...failed)).toMatchObject({ awaited: false, status: "active" });
    const again: WrittenChange[] = [
      ...failed,
      { type: "written", text: "No" },
      { type: "answered", said: ["I am here."], endedReason: null },
    ];
    expect(lines(...again).slice(2)).toEqual([
      ["caller", "No", false],
      ["assistant", "I am here.", false],
    ]);
    expect(stateAfter(...again)).toMatchObject({ trouble: null, status: "active" });
  });

  it("is over when the answer says so, and stays to be read", () => {
    const over = stateAfter(...greeted, {
      type: "answered",
      said: ["Goodbye."],
      endedReason: "assistant-ended-call",
    });
    expect(over).toMatchObject({ status: "inactive", endedReason: "assistant-ended-call" });
    expect(over.lines).toHaveLength(3);
    expect(changeWritten(over, { type: "start-pressed" }).lines).toEqual([]);
  });
});
