/** The server's own description of its API (`/openapi.json`), read for people: by resource, and each path with what it takes and gives. */

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  enum?: unknown[];
  example?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
  description?: string;
}

interface DescribedOperation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
  security?: Record<string, string[]>[];
  "x-act"?: string;
}

export interface Description {
  info: { title: string; version: string; description?: string };
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Answer {
  status: string;
  words: string;
  kind: string | null;
  schema: Schema | null;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  /** The first sentence, and what comes after it. */
  does: string;
  rest: string;
  /** What opens it. */
  key: string;
  /** Of what the hosted platform has and this server has not, a refusal is all there is. */
  offered: boolean;
  parameters: Field[];
  body: { kind: string; schema: Schema } | null;
  /** What comes when it goes well, and what else may. */
  answers: Answer[];
}

export interface Resource {
  id: string;
  name: string;
  operations: Operation[];
}

/** A field of what is sent or answered, or a part of an address. */
export interface Field {
  name: string;
  where: string;
  type: string;
  required: boolean;
  words: string;
  /** What is in it, where that has fields of its own. */
  inside: Schema | null;
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;

export function resourcesOf(description: Description): Resource[] {
  const resources = new Map<string, Resource>();
  for (const [path, methods] of Object.entries(description.paths)) {
    for (const method of METHODS) {
      const described = methods[method];
      if (!described) continue;
      const name = resourceOf(path);
      const id = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
      const resource = resources.get(id) ?? { id, name, operations: [] };
      resource.operations.push(operationOf(description, path, method, described));
      resources.set(id, resource);
    }
  }
  return [...resources.values()].toSorted((one, other) => one.name.localeCompare(other.name));
}

const OPERATIONS: ReadonlySet<string> = new Set(["health", "ready", "metrics", "leave"]);

function resourceOf(path: string): string {
  const parts = path.split("/").filter((part) => part !== "");
  const [first = "", second = "", third = ""] = parts;
  if (first === "api" && second === "desk")
    return `Desk: ${third.replace(/\.csv$/, "").replaceAll("-", " ")}`;
  if (first === "api") return "Pages";
  if (OPERATIONS.has(first)) return "Running the server";
  const name = first === "v2" ? second : first === "logs" ? "log" : first;
  return `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll("-", " ")}`;
}

function operationOf(
  description: Description,
  path: string,
  method: string,
  described: DescribedOperation,
): Operation {
  const [does, rest] = firstSentence(plain(described.summary));
  const offered = described.responses["501"] === undefined || Object.keys(described.responses).some(succeeds);
  const [kind, content] = Object.entries(described.requestBody?.content ?? {})[0] ?? [];
  return {
    id: `${method}-${path.replaceAll(/[^a-zA-Z0-9]+/g, "-").replaceAll(/^-|-$/g, "")}`,
    method: method.toUpperCase(),
    path,
    does,
    rest: [rest, plain(described.description)].filter((words) => words !== "").join(" "),
    key: keyOf(described),
    offered,
    parameters: (described.parameters ?? []).map(({ name, in: where, required = false, ...about }) => ({
      name,
      where,
      required,
      type: typeOf(description, about.schema ?? {}),
      words: plain(about.description ?? about.schema?.description),
      inside: null,
    })),
    body: kind === undefined ? null : { kind, schema: content?.schema ?? {} },
    answers: Object.entries(described.responses).map(([status, answer]) => {
      const [kind = null, content] = Object.entries(answer.content ?? {})[0] ?? [];
      return { status, words: plain(answer.description), kind, schema: content?.schema ?? null };
    }),
  };
}

export const succeeds = (status: string) => status.startsWith("2") || status.startsWith("3");

function keyOf({ security = [], responses, "x-act": act }: DescribedOperation): string {
  const names = security.flatMap((way) => Object.keys(way));
  if (names.length === 0) return "No key";
  const optional = security.some((way) => Object.keys(way).length === 0);
  if (names.includes("desk-session"))
    return act ? `A session at the desk whose role may ${act.replaceAll("-", " ")}` : "A session at the desk";
  if (names.includes("webhook-secret")) return "The webhook secret, in X-Vapi-Secret";
  const refusals = Object.values(responses).map(({ description = "" }) => description);
  if (refusals.some((words) => words.includes("operators-only")))
    return "The operator’s key, or none on the machine itself";
  if (refusals.some((words) => words.includes("private-key-unset"))) return "The private key";
  return optional ? "None, or the private key for more" : "The public key, or the private one";
}

/** One line, without the marks of links between names of code. */
function plain(words = ""): string {
  return words
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\[(`[^`]*`)\](\([^)]*\))?/g, "$1")
    .trim();
}

function firstSentence(words: string): [string, string] {
  const end = words.search(/\.(?= [A-Z`])/);
  return end < 0 ? [words, ""] : [words.slice(0, end + 1), words.slice(end + 2)];
}

/** A schema by its name, as it stands. */
export function resolved(description: Description, schema: Schema): Schema {
  const name = nameOf(schema);
  return name === null ? schema : (description.components.schemas[name] ?? {});
}

export function nameOf({ $ref }: Schema): string | null {
  return $ref ? ($ref.split("/").at(-1) ?? null) : null;
}

/** One of several that are not nothing. */
const choicesOf = ({ oneOf, anyOf }: Schema) => (oneOf ?? anyOf ?? []).filter(({ type }) => type !== "null");

export function typeOf(description: Description, schema: Schema): string {
  const choices = choicesOf(schema);
  const mayBeNull =
    (Array.isArray(schema.type) && schema.type.includes("null")) ||
    (schema.oneOf ?? schema.anyOf ?? []).some(({ type }) => type === "null");
  return mayBeNull
    ? `${bareType(description, schema, choices)}, or null`
    : bareType(description, schema, choices);
}

function bareType(description: Description, schema: Schema, choices: Schema[]): string {
  if (choices.length > 0) return [...new Set(choices.map((each) => typeOf(description, each)))].join(" or ");
  const whole = resolved(description, schema);
  if (whole !== schema && choicesOf(whole).length > 0) return typeOf(description, whole);
  if (whole.enum) return whole.enum.map((word) => JSON.stringify(word)).join(" | ");
  const types = [whole.type ?? "object"].flat().filter((type) => type !== "null");
  if (types[0] === "array") return `list of ${typeOf(description, whole.items ?? {})}`;
  const name = nameOf(schema);
  return name !== null && whole.properties
    ? name
    : [types.join(" or "), whole.format].filter(Boolean).join(", ");
}

/** The fields of what is sent or answered; of several kinds that it may be, those of all. */
export function fieldsOf(description: Description, schema: Schema): Field[] {
  const whole = resolved(description, schema);
  const items = [whole.type].flat().includes("array") && whole.items;
  if (items) return fieldsOf(description, items);
  const own = Object.entries(whole.properties ?? {}).map(([name, field]) => ({
    name,
    where: "",
    type: typeOf(description, field),
    required: whole.required?.includes(name) ?? false,
    words: plain(field.description ?? resolved(description, field).description),
    inside: insideOf(description, field),
  }));
  const others = [...(whole.allOf ?? []), ...choicesOf(whole)].flatMap((each) => fieldsOf(description, each));
  const names = new Set(own.map(({ name }) => name));
  return [...own, ...others.filter(({ name }) => !names.has(name) && names.add(name))];
}

/** The schema whose fields are a field's. */
function insideOf(description: Description, field: Schema): Schema | null {
  const [choice] = choicesOf(field);
  const schema = choice ?? field;
  return hasFields(description, schema) ? schema : null;
}

/** Whether there are any, without going into them. */
function hasFields(description: Description, schema: Schema, depth = 0): boolean {
  if (depth > 4) return false;
  const whole = resolved(description, schema);
  const parts = [...(whole.allOf ?? []), ...choicesOf(whole), ...(whole.items ? [whole.items] : [])];
  return whole.properties !== undefined || parts.some((part) => hasFields(description, part, depth + 1));
}

const DEEPEST_EXAMPLE = 4;

/** What could be sent or answered: its examples, and where there are none, something of its kind. */
export function exampleOf(description: Description, schema: Schema, depth = 0): unknown {
  if (schema.example !== undefined) return schema.example;
  const whole = resolved(description, schema);
  if (whole.example !== undefined) return whole.example;
  if (whole.enum) return whole.enum[0];
  const [choice] = choicesOf(whole);
  const types = [whole.type].flat();
  if (choice && !whole.properties) return exampleOf(description, choice, depth);
  if (types.includes("array"))
    return depth >= DEEPEST_EXAMPLE ? [] : [exampleOf(description, whole.items ?? {}, depth + 1)];
  if (types.includes("integer") || types.includes("number")) return whole.minimum ?? 1;
  if (types.includes("boolean")) return true;
  if (types.includes("string")) return whole.format === "date-time" ? "2026-11-24T18:00:00Z" : "…";
  if (depth >= DEEPEST_EXAMPLE) return {};
  const parts = (whole.allOf ?? []).map((part) => exampleOf(description, part, depth));
  const own = Object.entries(whole.properties ?? {})
    // What is needed, and what somebody gave an example of.
    .filter(([name, field]) => whole.required?.includes(name) || field.example !== undefined)
    .map(([name, field]) => [name, exampleOf(description, field, depth + 1)]);
  return Object.assign({}, ...parts, Object.fromEntries(own));
}

/** Those in which every word is found, and of what is not offered only where that is wanted. */
export function found(resources: readonly Resource[], words: string, alsoNotOffered: boolean): Resource[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = (name: string, { method, path, does, rest, offered }: Operation) => {
    const text = `${name} ${method} ${path} ${does} ${rest}`.toLowerCase();
    return (offered || alsoNotOffered) && wanted.every((word) => text.includes(word));
  };
  return resources
    .map((resource) => ({
      ...resource,
      operations: resource.operations.filter((each) => isFound(resource.name, each)),
    }))
    .filter(({ operations }) => operations.length > 0);
}
