/** What `make sample-call` wrote is whole, is what the record's schema says, and moves with the sound. */
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fireEvent, render, screen } from "@testing-library/react";
import call from "./call.json";
import { captionAt, type SampleCall, turnsOf } from "./captions.ts";
import { SamplePlayer } from "./SamplePlayer.tsx";

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

const HERE = import.meta.dirname;
const MOST_BYTES = 400_000;
const openapi = JSON.parse(
  readFileSync(path.resolve(HERE, "../../../../../crates/server/openapi.json"), "utf8"),
) as { components: { schemas: Record<string, Schema> } };
const schemas = openapi.components.schemas;
const { captions, info, seconds } = call as SampleCall;

/** What the value lacks of the schema, by path; as much of JSON Schema as the API's description uses. */
function faults(value: unknown, schema: Schema | undefined, at: string): string[] {
  if (!schema) return [];
  if (schema.$ref) return faults(value, schemas[schema.$ref.split("/").at(-1) ?? ""], at);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices)
    return choices.some((choice) => faults(value, choice, at).length === 0) ? [] : [`${at} fits no choice`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${value}`];
  const types = [schema.type ?? []].flat();
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  const is = type === "number" && Number.isInteger(value) ? ["number", "integer"] : [type];
  if (types.length > 0 && !types.some((each) => is.includes(each))) return [`${at} is a ${type}`];
  if (type === "array") {
    return (value as unknown[]).flatMap((each, i) => faults(each, schema.items, `${at}[${i}]`));
  }
  if (type !== "object") return [];
  const fields = value as Record<string, unknown>;
  return [
    ...(schema.required ?? []).filter((name) => !(name in fields)).map((name) => `${at}.${name} is missing`),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, of]) =>
      name in fields ? faults(fields[name], of, `${at}.${name}`) : [],
    ),
  ];
}

test("its note is what the record's schema says", () => {
  expect(schemas.StructuredData?.required).toHaveLength(8);
  expect(faults(info.structuredData, schemas.StructuredData, "structuredData")).toEqual([]);
  expect(info.summaryTitle).toMatch(/^Caller [^.]*$/);
  expect(info.summary?.split(/(?<=[.?!]"?\)?) (?=[A-Z])/).length).toBeGreaterThanOrEqual(2);
  for (const [i, each] of (info.evidence ?? []).entries()) {
    expect(faults(each, schemas.Evidence, `evidence[${i}]`)).toEqual([]);
    const said = info.messages?.[each.messageIndex ?? -1];
    expect(said?.role).toBe("user");
    expect(said?.message).toContain(each.words);
  }
});

test("its captions stand in order, and none outlasts the sound", () => {
  expect(captions.length).toBeGreaterThan(0);
  for (const [i, { from, to, words }] of captions.entries()) {
    expect(words.trim()).not.toBe("");
    expect(to).toBeGreaterThan(from);
    expect(from).toBeGreaterThanOrEqual(captions[i - 1]?.to ?? 0);
    expect(to).toBeLessThanOrEqual(seconds);
  }
});

test("its captions say what the record has the assistant say", () => {
  const said = captions.filter(({ speaker }) => speaker === "assistant").map(({ words }) => words);
  const recorded = info.messages?.filter(({ role }) => role === "bot").map(({ message }) => message);
  expect(said.join(" ")).toBe(recorded?.join(" "));
});

test("its sound is there, and small", () => {
  const sound = path.join(HERE, "call.webm");
  expect(existsSync(sound)).toBe(true);
  expect(statSync(sound).size).toBeLessThanOrEqual(MOST_BYTES);
});

test("a caption stays until the next begins", () => {
  const two = [
    { from: 1, to: 2, speaker: "caller", words: "Yes." },
    { from: 5, to: 6, speaker: "assistant", words: "Thank you." },
  ] as const;
  expect([0, 1, 3, 5, 9].map((at) => captionAt(two, at))).toEqual([-1, 0, 0, 1, 1]);
  expect(turnsOf(two)).toEqual([
    { speaker: "caller", captions: [0] },
    { speaker: "assistant", captions: [1] },
  ]);
});

describe("the player", () => {
  beforeEach(() => {
    vi.spyOn(HTMLMediaElement.prototype, "play").mockResolvedValue();
  });

  test("marks what is being said", () => {
    render(<SamplePlayer />);
    const audio = screen.getByLabelText<HTMLAudioElement>("The sample call");
    expect(document.querySelector('[aria-current="true"]')).toBeNull();
    const third = captions[2] as SampleCall["captions"][number];
    audio.currentTime = third.from + 0.1;
    fireEvent.timeUpdate(audio);
    expect(document.querySelector('[aria-current="true"]')).toHaveTextContent(third.words);
  });

  test("a browser that cannot play it leaves the words to read", () => {
    render(<SamplePlayer />);
    fireEvent.error(screen.getByLabelText("The sample call"));
    expect(screen.getByText("This browser cannot play the sound. The words are below.")).toBeVisible();
    expect(screen.getAllByRole("listitem").length).toBeGreaterThan(5);
    expect(screen.getByRole("article", { name: "The case note that came of it" })).toHaveTextContent(
      info.summaryTitle as string,
    );
  });
});
