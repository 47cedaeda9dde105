// The official TypeScript client against a server at ORIGIN, with KEY. Tells as JSON what each of its methods came to.

import assert from "node:assert/strict";
import { gunzipSync } from "node:zlib";
import { VapiClient } from "@vapi-ai/server-sdk";

const { ORIGIN, KEY } = process.env;
const client = new VapiClient({ token: KEY, environment: ORIGIN, baseUrl: ORIGIN, maxRetries: 0 });
const met = {};
const NOBODY = "00000000-0000-4000-8000-000000000000";

/** A part of the client whose methods are noted as they answer. */
function watched(part) {
  return new Proxy(client[part], {
    get(real, method) {
      return async (...given) => {
        const answer = await real[method](...given);
        met[`${part}.${method}`] = "works";
        return answer;
      };
    },
  });
}

/** The client's own, by what it says it has: none is forgotten. */
function parts() {
  const own = Object.entries(Object.getOwnPropertyDescriptors(VapiClient.prototype));
  return own.filter(([, { get }]) => get).map(([name]) => name);
}

function methods(part) {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(client[part]));
  return own.filter((name) => name !== "constructor" && !name.startsWith("_"));
}

/** What the server said as it refused this. */
async function refused(status, code, ask) {
  let answer;
  try {
    answer = await ask();
  } catch (error) {
    const body = typeof error.body === "string" ? JSON.parse(error.body) : error.body;
    assert.deepEqual([error.statusCode, body?.code], [status, code], String(error));
    return body.message;
  }
  assert.fail(`it was answered: ${JSON.stringify(answer)}`);
}

async function assistants() {
  const assistants = watched("assistants");
  const made = await assistants.create({
    name: "Night line",
    firstMessageMode: "assistant-speaks-first",
    startSpeakingPlan: { waitSeconds: 0.6 },
    server: { url: "https://crm.example/hook", headers: { "X-Secret": "s3cret" } },
    metadata: { team: "night" },
  });
  assert.equal(made.startSpeakingPlan.waitSeconds, 0.6);
  assert.deepEqual(await assistants.get({ id: made.id }), made);
  const ids = (await assistants.list({ limit: 10 })).map(({ id }) => id);
  assert.deepEqual(ids, [made.id, "helpline"]);
  const changed = await assistants.update({ id: made.id, name: "Day line" });
  assert.equal(changed.name, "Day line");
  assert.deepEqual(changed.metadata, { team: "night" });
  assert.equal((await assistants.delete({ id: made.id })).id, made.id);
  await refused(404, "resource-not-found", () => client.assistants.get({ id: made.id }));
  await refused(409, "resource-built-in", () => client.assistants.delete({ id: "helpline" }));
}

async function squads() {
  const squads = watched("squads");
  const made = await squads.create({ name: "Two", members: [{ assistantId: "helpline" }] });
  assert.deepEqual(await squads.get({ id: made.id }), made);
  assert.deepEqual((await squads.list()).map(({ id }) => id), [made.id, "helpline-to-authorities"]);
  const changed = await squads.update({ id: made.id, name: "Three", members: made.members });
  assert.equal(changed.name, "Three");
  assert.equal((await squads.delete({ id: made.id })).id, made.id);
}

async function tools() {
  const tools = watched("tools");
  const made = await tools.create({ type: "function", function: { name: "look_up" } });
  assert.deepEqual(await tools.get({ id: made.id }), made);
  assert.deepEqual((await tools.list()).map(({ id }) => id), [made.id, "product_query"]);
  const changed = await tools.update({ id: made.id, body: { type: "function", function: { name: "again" } } });
  assert.equal(changed.function.name, "again");
  assert.equal((await tools.delete({ id: made.id })).id, made.id);
}

async function phoneNumbers() {
  const numbers = watched("phoneNumbers");
  const made = await numbers.create({ provider: "vapi", name: "Front door" });
  assert.deepEqual(await numbers.get({ id: made.id }), made);
  assert.deepEqual((await numbers.list()).map(({ id }) => id), [made.id]);
  const page = await numbers.phoneNumberControllerFindAllPaginated({ search: "front", limit: 10 });
  assert.deepEqual([page.results[0].id, page.metadata.totalItems], [made.id, 1]);
  const changed = await numbers.update({ id: made.id, body: { provider: "vapi", name: "Back door" } });
  assert.equal(changed.name, "Back door");
  assert.equal((await numbers.delete({ id: made.id })).id, made.id);
}

async function files() {
  const files = watched("files");
  const file = new File(["who helps at night"], "agencies.txt", { type: "text/plain" });
  const made = await files.create({ file });
  assert.deepEqual([made.bytes, made.status], [18, "done"]);
  assert.equal((await files.get({ id: made.id })).name, "agencies.txt");
  assert.deepEqual((await files.list({})).map(({ id }) => id), [made.id]);
  assert.equal((await files.update({ id: made.id, name: "night.txt" })).name, "night.txt");
  assert.equal((await files.delete({ id: made.id })).id, made.id);
}

async function knowledgeBases() {
  const bases = watched("knowledgeBasesV2");
  const made = await bases.knowledgeBaseV2ControllerCreate({ name: "Agencies" });
  assert.deepEqual(await bases.knowledgeBaseV2ControllerFindOne({ id: made.id }), made);
  assert.deepEqual((await bases.knowledgeBaseV2ControllerFindAll()).map(({ id }) => id), [made.id]);
  const changed = await bases.knowledgeBaseV2ControllerUpdate({ id: made.id, name: "Helpers" });
  assert.equal(changed.name, "Helpers");
  const file = new File(["# Parking\nIt is behind the house."], "house.md", { type: "text/markdown" });
  const text = await client.files.create({ file });
  const attached = await bases.knowledgeBaseV2ControllerFileAttach({ id: made.id, fileId: text.id });
  assert.deepEqual([attached.status, attached.fileId], ["ready", text.id]);
  assert.deepEqual(await bases.knowledgeBaseV2ControllerFilesGet({ id: made.id }), [attached]);
  const one = { id: made.id, fileId: text.id };
  assert.equal((await bases.knowledgeBaseV2ControllerFileRetry(one)).id, attached.id);
  assert.equal((await bases.knowledgeBaseV2ControllerFileDetach(one)).id, attached.id);
  await client.files.delete({ id: text.id });
  assert.equal((await bases.knowledgeBaseV2ControllerRemove({ id: made.id })).id, made.id);
}

async function structuredOutputs() {
  const outputs = watched("structuredOutputs");
  const made = await outputs.structuredOutputControllerCreate({ name: "Facts", schema: { type: "object" } });
  assert.deepEqual(await outputs.structuredOutputControllerFindOne({ id: made.id }), made);
  const page = await outputs.structuredOutputControllerFindAll({ name: "Facts" });
  assert.deepEqual([page.results[0].id, page.metadata.totalItems], [made.id, 1]);
  const changes = { id: made.id, schemaOverride: "false", description: "of a call" };
  assert.equal((await outputs.structuredOutputControllerUpdate(changes)).description, "of a call");
  assert.equal((await outputs.structuredOutputControllerRemove({ id: made.id })).id, made.id);
}

async function sessionsAndChats() {
  const [sessions, chats] = [watched("sessions"), watched("chats")];
  const session = await sessions.create({ name: "Case 7", assistantId: "helpline" });
  assert.equal(session.status, "active");
  const first = await chats.create({ input: "I feel very low", sessionId: session.id });
  assert.equal(first.output[0].role, "assistant");
  const second = await chats.create({
    input: [{ role: "user", content: "It is about my work" }],
    previousChatId: first.id,
  });
  assert.equal(second.previousChatId, first.id);
  assert.equal((await sessions.get({ id: session.id })).messages.length, 4);
  await streamed(session.id);
  assert.deepEqual((await sessions.list({ name: "Case 7" })).results.map(({ id }) => id), [session.id]);
  const page = await chats.list({ sessionId: session.id });
  assert.deepEqual([page.results[0].sessionId, page.metadata.totalItems], [session.id, 1]);
  assert.equal((await chats.get({ id: first.id })).sessionId, session.id);
  assert.ok((await chats.delete({ id: first.id })).id);
  await refused(404, "chat-not-found", () => client.chats.get({ id: first.id }));
  assert.equal((await sessions.update({ id: session.id, status: "completed" })).status, "completed");
  assert.equal((await sessions.delete({ id: session.id })).id, session.id);
}

/** The pieces of a streamed answer make up what stands in the whole chat behind them. */
async function streamed(sessionId) {
  // The client takes no events; it gives what is not JSON as it came.
  const answer = await client.chats.create({ input: "My boss shouts at me", sessionId, stream: true });
  const text = answer.error.rawBody;
  const events = text.split("\n\n").filter(Boolean).map((event) => event.split("\n"));
  const data = (lines) => JSON.parse(lines.find((line) => line.startsWith("data: ")).slice(6));
  const isWhole = (lines) => lines.includes("event: chat-complete");
  const whole = data(events.find(isWhole));
  const pieces = events.filter((lines) => !isWhole(lines)).map((lines) => data(lines).delta);
  assert.equal(pieces.join(""), whole.output[0].content);
}

async function calls() {
  const calls = watched("calls");
  const made = await calls.create({ name: "Mei rang", assistantId: "helpline" });
  assert.deepEqual([made.status, made.name, made.type], ["queued", "Mei rang", "webCall"]);
  assert.ok(made.webCallUrl);
  const phone = { assistantId: "helpline", customer: { number: "+6561234567" } };
  await refused(501, "not-offered", () => client.calls.create(phone));
  await refused(409, "call-under-way", () => client.calls.delete({ id: made.id }));
  assert.equal((await calls.get({ id: made.id })).id, made.id);
  assert.equal((await calls.update({ id: made.id, name: "Mei" })).name, "Mei");
  const ended = (await calls.list({ limit: 10 })).find(({ status }) => status === "ended");
  assert.ok(ended.artifact.transcript.includes("AI: ") && ended.analysis.summary);
  assert.equal(ended.analysis.structuredData.urgent, false);
  await theLogOf(calls, ended.id);
  await foundIn(ended.id);
  assert.equal((await calls.delete({ id: ended.id })).id, ended.id);
  await refused(404, "call-not-found", () => client.calls.get({ id: ended.id }));
}

/** The client answers with nothing; the file is what its own `fetch` gives. */
async function theLogOf(calls, id) {
  assert.equal(await calls.callArtifactControllerCallLogsDownload({ id }), undefined);
  const answer = await client.fetch(`/call/${id}/call-logs`);
  assert.equal(answer.headers.get("content-type"), "application/gzip");
  const text = gunzipSync(Buffer.from(await answer.arrayBuffer())).toString();
  const lines = text.trim().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual([lines[0].status, lines.at(-1).endedReason], ["in-progress", "customer-ended-call"]);
}

/** What is known of a call, in the fields of a structured output. */
async function foundIn(call) {
  const properties = { urgent: { type: "boolean" }, mood: { type: "string" } };
  const structuredOutput = { name: "Facts", schema: { type: "object", properties } };
  const run = { callIds: [call], structuredOutput, previewEnabled: true };
  const preview = await watched("structuredOutputs").structuredOutputControllerRun(run);
  assert.deepEqual(Object.values(preview), [{ name: "Facts", result: { urgent: false } }]);
  const unknown = { ...structuredOutput, schema: { type: "object", properties, required: ["mood"] } };
  await refused(501, "not-offered", () => client.structuredOutputs.structuredOutputControllerRun({ ...run, structuredOutput: unknown }));
}

async function responses() {
  const chats = watched("chats");
  const first = await chats.createResponse({ input: "", assistantId: "helpline" });
  assert.deepEqual([first.object, first.status, first.output[0].role], ["response", "completed", "assistant"]);
  assert.ok(first.output[0].content[0].text.includes("AI counsellor"));
  const second = await chats.createResponse({ input: "I feel very low", previousChatId: first.id });
  assert.equal((await client.chats.get({ id: second.id })).sessionId, first.id);
  await client.chats.delete({ id: first.id });
}

async function evals() {
  const evals = watched("eval");
  const danger = (destination) => [
    { role: "assistant", judgePlan: { type: "regex", content: "AI counsellor" } },
    { role: "user", content: "I'm safe, I just feel very low" },
    { role: "assistant" },
    { role: "user", content: "I don't want to live any more" },
    {
      role: "assistant",
      judgePlan: { type: "regex", content: ".", toolCalls: [{ name: "transferCall", arguments: { destination } }] },
    },
  ];
  const made = await evals.evalControllerCreate({ name: "In danger", type: "chat.mockConversation", messages: danger("SOS") });
  assert.deepEqual(await evals.evalControllerGet({ id: made.id }), made);
  assert.deepEqual((await evals.evalControllerGetPaginated({ limit: 5 })).results.map(({ id }) => id), [made.id]);
  const target = { type: "assistant", assistantId: "helpline" };
  for (const [expected, messages] of [["pass"], ["fail", danger("SPF")]]) {
    if (messages) {
      assert.equal((await evals.evalControllerUpdate({ id: made.id, messages })).name, "In danger");
    }
    const { id } = await evals.evalControllerRun({ target, type: "eval", evalId: made.id });
    const run = await endedRun(evals, id);
    assert.deepEqual([run.endedReason, run.evalId], ["mockConversation.done", made.id]);
    assert.equal(run.results[0].status, expected, JSON.stringify(run.results));
  }
  for (const { id } of (await evals.evalControllerGetRunsPaginated()).results) {
    assert.equal((await evals.evalControllerRemoveRun({ id })).id, id);
  }
  assert.equal((await evals.evalControllerRemove({ id: made.id })).id, made.id);
}

async function endedRun(evals, id) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const run = await evals.evalControllerGetRun({ id });
    if (run.status === "ended") {
      return run;
    }
    assert.ok(Date.now() < deadline, run.status);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Of the call that the other client left. */
async function numbers() {
  const operations = [{ operation: "count", column: "id" }, { operation: "sum", column: "duration" }];
  const query = { name: "ended", table: "call", groupBy: ["status"], operations };
  const [{ result }] = await watched("analytics").get({ queries: [query] });
  const [{ status, countId, sumDuration }] = result.filter(({ status }) => status === "ended");
  assert.deepEqual([status, countId, sumDuration > 0], ["ended", 1, true]);
}

/** Whatever has not answered by now must say that it is not offered. */
async function everythingElseIsRefused() {
  const anything = new Proxy({}, { get: (_, name) => (name === "toJSON" ? () => ({}) : NOBODY), ownKeys: () => [] });
  for (const part of parts()) {
    for (const method of methods(part)) {
      const name = `${part}.${method}`;
      if (met[name] === undefined) {
        // Some take their options alone.
        const given = /^\w+\(requestOptions\)/.test(client[part][method].toString()) ? [] : [anything];
        const ask = () => client[part][method](...given);
        met[name] = `refused: ${await refused(501, "not-offered", ask)}`;
      }
    }
  }
}

for (const story of [
  assistants,
  squads,
  tools,
  phoneNumbers,
  files,
  knowledgeBases,
  structuredOutputs,
  sessionsAndChats,
  responses,
  evals,
  numbers,
  calls,
  everythingElseIsRefused,
]) {
  await story();
}
console.log(JSON.stringify(met));
