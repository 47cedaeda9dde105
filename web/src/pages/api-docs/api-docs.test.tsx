/** The documentation of the API: what is read from the description, and the page that shows it. */
import { configure, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import document from "../../../../crates/server/openapi.json";
import { ApiDocsPage } from "./ApiDocsPage.tsx";
import { type Description, exampleOf, fieldsOf, found, resourcesOf } from "./description.ts";

// A page of every path is looked through by roles, on machines that do other things too.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

const DESCRIPTION = document as unknown as Description;
const RESOURCES = resourcesOf(DESCRIPTION);
const operation = (method: string, path: string) => {
  const all = RESOURCES.flatMap(({ operations }) => operations);
  const found = all.find((each) => each.method === method && each.path === path);
  if (!found) throw new Error(`${method} ${path} is not described`);
  return found;
};

describe("the description", () => {
  it("has every path and method of the server's own, each under an id of its own", () => {
    const all = RESOURCES.flatMap(({ operations }) => operations);
    const described = Object.values(DESCRIPTION.paths).flatMap((methods) => Object.keys(methods));
    expect(all).toHaveLength(described.length);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.filter(({ does }) => does === "")).toEqual([]);
  });

  it("says which key opens a path", () => {
    for (const [method, path, key] of [
      ["GET", "/api/config", "No key"],
      ["POST", "/call/web", "The public key, or the private one"],
      ["GET", "/assistant", "The private key"],
      ["GET", "/metrics", "The operator’s key, or none on the machine itself"],
      ["POST", "/api/desk/cases/{id}/close", "A session at the desk whose role may close case"],
      ["POST", "/api/webHook", "The webhook secret, in X-Vapi-Secret"],
    ] as const)
      expect(operation(method, path).key, path).toBe(key);
  });

  it("tells what is sent: names, types, what must be there, and what is inside", () => {
    const { body } = operation("POST", "/chat");
    const fields = fieldsOf(DESCRIPTION, body?.schema ?? {});
    const field = (name: string) => fields.find((each) => each.name === name);
    expect(field("input")).toMatchObject({ required: true });
    expect(field("sessionId")).toMatchObject({ type: "string, or null", required: false, inside: null });
    const overrides = field("assistantOverrides");
    const inside = overrides?.inside ? fieldsOf(DESCRIPTION, overrides.inside) : [];
    expect(inside.map(({ name }) => name)).toEqual([
      "analysisPlan",
      "endCallMessage",
      "endCallPhrases",
      "firstMessage",
      "firstMessageMode",
      "maxDurationSeconds",
      "model",
      "silenceTimeoutSeconds",
      "startSpeakingPlan",
      "stopSpeakingPlan",
      "variableValues",
      "voice",
    ]);
  });

  it("gives an example that has what must be there", () => {
    const { body } = operation("POST", "/api/desk/sign-in");
    expect(exampleOf(DESCRIPTION, body?.schema ?? {})).toMatchObject({
      signInName: expect.any(String),
      password: expect.any(String),
      code: expect.any(String),
    });
  });

  it("is searched by every word, and leaves out what is not offered unless it is wanted", () => {
    const paths = (words: string, also = false) =>
      found(RESOURCES, words, also).flatMap(({ operations }) => operations.map(({ path }) => path));
    expect(paths("post CHAT")).toContain("/chat");
    expect(paths("campaign")).toEqual([]);
    expect(paths("campaign", true)).toContain("/campaign");
    expect(paths("no such word at all")).toEqual([]);
  });
});

describe("the page", () => {
  beforeEach(() => {
    vi.stubGlobal("fetch", async () => Response.json(document));
    Element.prototype.scrollIntoView = vi.fn();
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const open = async (address = "/docs/api") => {
    render(
      <MemoryRouter initialEntries={[address]}>
        <ApiDocsPage />
      </MemoryRouter>,
    );
    await screen.findByRole("searchbox", { name: "Find a path" });
  };

  it("lists resources, and finds a path by typing", async () => {
    await open();
    expect(within(screen.getByRole("navigation", { name: "Resources" })).getByText("Chat")).toBeVisible();
    await userEvent.type(screen.getByRole("searchbox"), "sign-in");
    expect(await screen.findByText("One path")).toBeVisible();
    expect(screen.getByText("/api/desk/sign-in")).toBeVisible();
    expect(screen.queryByText("/call/web")).toBeNull();
  });

  it("opens a path: its key, what is sent, a command and the answers", async () => {
    await open("/docs/api?q=post+%2Fcall%2Fweb");
    await userEvent.click(await screen.findByText("/call/web"));
    expect(screen.getByText(/The public key, or the private one/)).toBeVisible();
    expect(screen.getByRole("heading", { name: "Sent, as application/json" })).toBeVisible();
    expect(screen.getByText(/^curl -X POST .*\/call\/web/)).toBeVisible();
    expect(screen.getByText("429")).toBeVisible();
    await userEvent.click(screen.getAllByText("What is in assistantOverrides")[0] as HTMLElement);
    expect(screen.getByText("variableValues")).toBeVisible();
  });

  it("is led to one path by the address, also to one that is not offered", async () => {
    await open("/docs/api#get-campaign");
    expect(screen.getByRole("checkbox", { name: /does not offer/ })).toBeChecked();
    expect(screen.getAllByText("Not offered: campaigns.")[0]).toBeVisible();
    expect(screen.getByText("501")).toBeVisible();
  });

  it("says when the server does not answer, and asks again", async () => {
    vi.stubGlobal("fetch", async () => new Response("", { status: 502 }));
    render(
      <MemoryRouter>
        <ApiDocsPage />
      </MemoryRouter>,
    );
    expect(await screen.findByText("The server does not answer.")).toBeVisible();
    vi.stubGlobal("fetch", async () => Response.json(document));
    await userEvent.click(screen.getByRole("button", { name: "Ask again" }));
    expect(await screen.findByRole("searchbox")).toBeVisible();
  });
});
