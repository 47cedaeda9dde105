/**
 * What the official client's types have of the bodies that are sent to the hosted platform, and of its answers and messages: its
 * stand-in refuses the rest, and sends nothing else.
 */
import { readFileSync } from "node:fs";

interface Told {
  bodies: Record<string, string>;
  types: Record<string, { required: string[]; fields: Record<string, string[]> }>;
}

const told = JSON.parse(
  readFileSync(new URL("../../scripts/clients/fields.json", import.meta.url), "utf8"),
) as Told;

const IS: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  boolean: (value) => typeof value === "boolean",
  list: Array.isArray,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  any: () => true,
};

/** What is wrong with this body, in the platform's words; nothing where it is of its type. */
export function faultOf(body: string, sent: unknown): string | undefined {
  const type = told.bodies[body];
  return type === undefined ? `there is no ${body}` : faultAt("", type, sent);
}

function faultAt(at: string, kind: string, value: unknown): string | undefined {
  const is = IS[kind] ?? IS.object;
  if (!is?.(value)) return `${at} must be of type ${kind}`;
  const type = told.types[kind];
  if (!type) return undefined;
  const sent = value as Record<string, unknown>;
  const below = (field: string) => (at ? `${at}.${field}` : field);
  const missing = type.required.find((field) => !(field in sent));
  if (missing) return `${below(missing)} should be there`;
  for (const [field, inner] of Object.entries(sent)) {
    const kinds = type.fields[field];
    if (!kinds) return `property ${below(field)} should not exist`;
    const faults = kinds.map((one) => faultAt(below(field), one, inner));
    if (faults.every(Boolean)) return faults[0];
  }
  return undefined;
}
