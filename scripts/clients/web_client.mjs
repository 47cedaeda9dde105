// The official web client's API against a server at ORIGIN, with KEY, as far as no server client has the same: the calls' pages and web
// calls, versions, and the parts that it alone has. Tells as JSON what each of these methods came to. A call that has ended is there.

import assert from "node:assert/strict";
import { client } from "@vapi-ai/web/dist/client.js";

const { ORIGIN, KEY } = process.env;
// As its `Vapi` sets them, which needs a browser.
client.baseUrl = ORIGIN;
client.setSecurityData(KEY);
const met = {};
const NOBODY = "00000000-0000-4000-8000-000000000000";
const ORGANISATION = "nightlight";
/** No other client has these: all their methods are accounted for. */
const ITS_OWN = ["credential", "token", "org", "template", "voiceLibrary"];

/** A part of the client whose methods are noted as they answer; what it tells is the answer's body. */
function watched(part) {
  return new Proxy(client[part], {
    get(real, method) {
      return async (...given) => {
        const answer = await real[method](...given);
        met[`${part}.${method}`] = "works";
        return answer.data ?? answer;
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
    assert.ok(error instanceof Response, String(error));
    const body = error.error ?? (await error.json());
    assert.deepEqual([error.status, body?.code], [status, code], JSON.stringify(body));
    return body.message;
  }
  assert.fail(`it was answered: ${answer.status}`);
}

async function credentials() {
  const credential = watched("credential");
  const secret = "a secret of the webhook's";
  const authenticationPlan = { type: "bearer", token: secret, headerName: "X-Key" };
  const made = await credential.credentialControllerCreate({ provider: "webhook", name: "CRM", authenticationPlan });
  assert.deepEqual([made.provider, made.name], ["webhook", "CRM"]);
  assert.deepEqual(await credential.credentialControllerFindOne(made.id), made);
  const all = await credential.credentialControllerFindAll({ limit: 10 });
  assert.deepEqual(all.map(({ id }) => id), [made.id]);
  const changed = await credential.credentialControllerUpdate(made.id, { name: "The CRM" });
  assert.equal(changed.name, "The CRM");
  assert.ok(!JSON.stringify([made, all, changed]).includes(secret));
  assert.equal((await credential.credentialControllerRemove(made.id)).id, made.id);
  await refused(404, "resource-not-found", () => client.credential.credentialControllerFindOne(made.id));
}

async function tokens() {
  const token = watched("token");
  const made = await token.tokenControllerCreate({ tag: "private", name: "Night" });
  assert.deepEqual([made.tag, made.name, typeof made.value], ["private", "Night", "string"]);
  const { value, ...shown } = made;
  const read = await token.tokenControllerFindOne(made.id);
  assert.deepEqual([read.id, read.name, JSON.stringify(read).includes(value)], [shown.id, "Night", false]);
  assert.ok((await token.tokenControllerFindAll({ limit: 10 })).some(({ id }) => id === made.id));
  assert.equal((await token.tokenControllerUpdate(made.id, { name: "Day" })).name, "Day");
  const withIt = (then) => {
    client.setSecurityData(value);
    return then().finally(() => client.setSecurityData(KEY));
  };
  assert.equal((await withIt(() => client.org.orgControllerFindAll())).data[0].id, ORGANISATION);
  assert.equal((await token.tokenControllerRemove(made.id)).id, made.id);
  await withIt(() => refused(401, "key-wrong", () => client.org.orgControllerFindAll()));
}

async function organisation() {
  const org = watched("org");
  const [one] = await org.orgControllerFindAll();
  assert.equal(one.id, ORGANISATION);
  assert.deepEqual(await org.orgControllerFindOne(ORGANISATION), one);
  assert.equal((await org.orgControllerUpdate(ORGANISATION, { name: "Harbour line" })).name, "Harbour line");
  assert.equal((await org.orgControllerUpdate(ORGANISATION, { name: one.name })).name, one.name);
  // It has no members: this server has no desk. The server's own tests have one.
  const members = await org.orgControllerFindAllUsers(ORGANISATION);
  assert.deepEqual(members instanceof Response ? await members.json() : members, []);
  const invite = { emails: ["mei@line.example"], role: "editor" };
  const role = { userId: NOBODY, role: "viewer" };
  for (const [method, status, code, ...given] of [
    ["orgControllerUsersInvite", 409, "no-desk", invite],
    ["orgControllerUserUpdate", 404, "account-not-found", role],
    ["orgControllerOrgRemoveUser", 404, "account-not-found", NOBODY],
  ]) {
    const said = await refused(status, code, () => client.org[method](ORGANISATION, ...given));
    met[`org.${method}`] = `with no desk: ${said}`;
  }
}

async function templates() {
  const template = watched("template");
  const body = { type: "tool", name: "Look up", details: { type: "dtmf" } };
  const made = await template.templateControllerCreate(body);
  assert.deepEqual([made.type, made.name, made.details.type], ["tool", "Look up", "dtmf"]);
  assert.deepEqual(await template.templateControllerFindOne(made.id), made);
  assert.deepEqual((await template.templateControllerFindAll({})).map(({ id }) => id), [made.id]);
  const changed = await template.templateControllerUpdate(made.id, { ...body, name: "Find" });
  assert.equal(changed.name, "Find");
  assert.equal((await template.templateControllerRemove(made.id)).id, made.id);
}

async function voices() {
  const library = watched("voiceLibrary");
  const found = await library.voiceLibraryControllerVoiceGetByProvider("flite", { gender: "female" });
  assert.deepEqual(found.map(({ providerId }) => providerId), ["slt"]);
  const accents = await library.voiceLibraryControllerVoiceGetAccentsByProvider("flite");
  assert.deepEqual(accents, ["American", "Scottish"]);
}

async function versions() {
  const assistant = watched("assistant");
  const made = await assistant.assistantControllerCreate({ name: "Night line" });
  await assistant.assistantControllerUpdate(made.id, { name: "Day line" });
  const page = await assistant.assistantControllerFindVersions(made.id, { limit: 5 });
  assert.equal(page.results.length, 2, JSON.stringify(page));
  assert.equal(page.metadata.hasNextPage, false);
  assert.equal((await assistant.assistantControllerRemove(made.id)).id, made.id);
}

async function calls() {
  const [call, pages] = [watched("call"), watched("v2")];
  const made = await call.callControllerCreateWebCall({ assistantId: "helpline" });
  assert.deepEqual([made.status, made.type], ["queued", "webCall"]);
  // What its `start` would join the room by.
  assert.ok(made.webCallUrl);
  const page = await pages.callControllerFindAllPaginated({ limit: 10 });
  const ended = page.results.find(({ status }) => status === "ended");
  assert.ok(ended?.artifact.transcript.includes("AI: "), JSON.stringify(page.metadata));
  const file = await pages.callControllerCallsExport({});
  assert.match(file.headers.get("content-type"), /^text\/csv/);
  assert.ok((await file.text()).includes(ended.id));
}

/** Whatever of its own parts has not answered by now must say that it is not offered. */
async function everythingElseIsRefused() {
  for (const part of ITS_OWN) {
    for (const [method, ask] of Object.entries(client[part])) {
      const name = `${part}.${method}`;
      if (met[name] === undefined) {
        // Ids first, then what is sent or asked, then its options.
        const taken = /^\(([^)]*)\)/.exec(ask.toString())[1].split(", ");
        const given = taken.slice(0, -1).map((argument) => (["data", "query"].includes(argument) ? {} : NOBODY));
        met[name] = `refused: ${await refused(501, "not-offered", () => ask(...given))}`;
      }
    }
  }
}

for (const story of [credentials, tokens, organisation, templates, voices, versions, calls, everythingElseIsRefused]) {
  await story();
}
console.log(JSON.stringify(met));
