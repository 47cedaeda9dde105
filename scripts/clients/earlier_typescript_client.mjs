// The last release of the official TypeScript client that has test suites, workflows and logs, against a server at ORIGIN, with KEY:
// `earlier-server-sdk` is its name here. Tells as JSON what came of each method of its parts that the newest client has no more. Runs
// after the Python clients, of whose calls one is there.

import assert from "node:assert/strict";
import { VapiClient as Newest } from "@vapi-ai/server-sdk";
import { VapiClient } from "earlier-server-sdk";

const { ORIGIN, KEY } = process.env;
const client = new VapiClient({ token: KEY, environment: ORIGIN, baseUrl: ORIGIN });
const met = {};
const NOBODY = "00000000-0000-4000-8000-000000000000";
// The client tries what is refused with 409 or 501 twice more, seconds later.
const ONCE = { maxRetries: 0 };
const RUN_WITHIN_MS = 120_000;

/** Parts of a client, by what it says it has. */
function parts({ prototype }) {
  const own = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return own.filter(([, { get }]) => get).map(([name]) => name);
}

function methods(part) {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(client[part]));
  return own.filter((name) => name !== "constructor" && !name.startsWith("_"));
}

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

async function testSuites() {
  const [suites, tests, runs] = ["testSuites", "testSuiteTests", "testSuiteRuns"].map(watched);
  const suite = await suites.testSuiteControllerCreate({ name: "Nights", targetPlan: { assistantId: "helpline" } });
  assert.deepEqual([suite.name, suite.targetPlan.assistantId], ["Nights", "helpline"]);
  assert.deepEqual(await suites.testSuiteControllerFindOne(suite.id), suite);
  const page = await suites.testSuiteControllerFindAllPaginated({ limit: 5, sortOrder: "ASC", createdAtGe: suite.createdAt });
  assert.deepEqual([page.results.map(({ id }) => id), page.metadata.totalItems], [[suite.id], 1]);
  assert.equal((await suites.testSuiteControllerUpdate(suite.id, { name: "All nights" })).name, "All nights");

  const script = "I'm safe, I just feel very low\nI don't want to live any more";
  const judge = [{ type: "ai", rubric: "Is it kind?" }];
  const judged = await tests.testSuiteTestControllerCreate(suite.id, { type: "chat", script, scorers: judge });
  assert.deepEqual([judged.script, judged.scorers[0].rubric], [script, "Is it kind?"]);
  assert.equal((await tests.testSuiteTestControllerRemove(suite.id, judged.id)).id, judged.id);
  const made = [];
  for (const agency of ["SOS", "SPF"]) {
    // The type has one scorer, which a model judges by; ours needs none.
    const scorers = [{ type: "outcome", transferTo: agency }];
    made.push(await tests.testSuiteTestControllerCreate(suite.id, { type: "chat", script, scorers, name: agency }));
  }
  assert.deepEqual(await tests.testSuiteTestControllerFindOne(suite.id, made[0].id), made[0]);
  const kept = await tests.testSuiteTestControllerFindAllPaginated(suite.id, { sortOrder: "ASC" });
  assert.deepEqual(kept.results.map(({ id }) => id), made.map(({ id }) => id));
  const changes = { type: "chat", name: "To the police" };
  const changed = await tests.testSuiteTestControllerUpdate(suite.id, made[1].id, changes);
  assert.deepEqual([changed.name, changed.script], ["To the police", script]);

  const run = await runs.testSuiteRunControllerCreate(suite.id, { name: "first" });
  assert.equal(run.testSuiteId, suite.id);
  const ended = await endedRun(runs, suite.id, run.id);
  const scored = ended.testResults.map(({ attempts }) => attempts[0].scorerResults[0].result);
  assert.deepEqual([ended.status, scored], ["completed", ["pass", "fail"]], JSON.stringify(ended));
  const all = await runs.testSuiteRunControllerFindAllPaginated(suite.id);
  assert.deepEqual(all.results.map(({ id }) => id), [run.id]);
  assert.equal((await runs.testSuiteRunControllerUpdate(suite.id, run.id, { name: "the first" })).name, "the first");
  assert.equal((await runs.testSuiteRunControllerRemove(suite.id, run.id)).id, run.id);
  assert.equal((await suites.testSuiteControllerRemove(suite.id)).id, suite.id);
  await refused(404, "resource-not-found", () => client.testSuites.testSuiteControllerFindOne(suite.id));
}

async function endedRun(runs, suite, id) {
  const deadline = Date.now() + RUN_WITHIN_MS;
  for (;;) {
    const run = await runs.testSuiteRunControllerFindOne(suite, id);
    if (!["queued", "in-progress"].includes(run.status)) {
      return run;
    }
    assert.ok(Date.now() < deadline, run.status);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function workflows() {
  const workflow = watched("workflow");
  const nodes = [{ type: "conversation", name: "talk" }];
  const made = await workflow.workflowControllerCreate({ name: "Nights", nodes, edges: [] });
  assert.deepEqual([made.name, made.nodes[0].name], ["Nights", "talk"]);
  assert.deepEqual(await workflow.workflowControllerFindOne(made.id), made);
  assert.deepEqual((await workflow.workflowControllerFindAll()).map(({ id }) => id), [made.id]);
  assert.equal((await workflow.workflowControllerUpdate(made.id, { name: "Days" })).name, "Days");
  assert.equal((await workflow.workflowControllerDelete(made.id)).id, made.id);
}

async function logs() {
  const [{ id }] = (await client.calls.list()).filter(({ status }) => status === "ended");
  const page = await watched("logs").get({ type: "Call", callId: id, sortOrder: "ASC", limit: 10 });
  assert.deepEqual(page.data.map(({ callId, status }) => [callId, status]), [[id, "in-progress"], [id, "ended"]]);
  assert.deepEqual((await client.logs.get({ callId: NOBODY })).data, []);
}

/** Whatever of these parts has not answered by now must say that it is not offered. */
async function everythingElseIsRefused() {
  const newest = parts(Newest);
  for (const part of parts(VapiClient).filter((part) => !newest.includes(part))) {
    for (const method of methods(part)) {
      const name = `${part}.${method}`;
      if (met[name] === undefined) {
        // As many as it takes before its options: ids first, and what is sent last.
        const taken = /^\w+\(([^)]*)\)/.exec(client[part][method].toString())[1].split(", ");
        const given = taken.slice(0, -1).map((argument) => (argument.startsWith("request") ? {} : NOBODY));
        met[name] = `refused: ${await refused(501, "not-offered", () => client[part][method](...given, ONCE))}`;
      }
    }
  }
}

for (const story of [testSuites, workflows, logs, everythingElseIsRefused]) {
  await story();
}
console.log(JSON.stringify(met));
