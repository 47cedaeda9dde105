/** `/Demo` as its tests show it: with a server, a voice client and microphones that tests play by hand. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, configure, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, vi } from "vitest";
import type { CallInfo } from "../../../api/contract.ts";
import type { Microphones } from "../../../voice/browser-parts.ts";
import { type InMemoryCall, inMemoryCall } from "../../../voice/testing/in-memory-call.ts";
import { DemoPage } from "../DemoPage.tsx";

const CONFIG = { voicePlatform: "embedded", publicKey: "public", assistantId: "nightlight" };
/** Where the hosted platform holds the calls; what is written is held here all the same. */
export const HOSTED_CONFIG = {
  voicePlatform: "hosted",
  platformUrl: "https://platform.example",
  publicKey: "public-there",
  assistantId: "",
  squadId: "squad-1",
  written: { publicKey: "public-here", assistantId: "nightlight", squadId: "" },
};
export const URGENT: CallInfo = {
  id: 10,
  callId: "0f3b2c44-0000-4000-8000-000000000010",
  startedAt: "2026-11-02T18:04:00Z",
  durationSeconds: 83,
  summary: "Caller is afraid.",
  summaryTitle: "Caller in immediate danger from her partner",
  structuredData: {
    name: "Mei",
    urgent: true,
    location: "Toa Payoh",
    follow_up: "Call back before noon. Offer shelter.",
    abuse_type: "Physical",
    transfer_to: "SPF",
    transferred: true,
    latest_incident_date: "2 November",
  },
  messages: [
    { role: "system", message: "hidden instructions" },
    { role: "bot", message: "Are you safe?" },
    { role: "user", message: "<b>No</b>" },
  ],
};
export const QUIET: CallInfo = {
  id: 9,
  callId: "99999999-0000-4000-8000-000000000009",
  summaryTitle: "Caller wishes to talk",
};

/** The server of a test. */
export interface TestServer {
  /** What it answers, by path, or a promise of it; a missing path is a server that does not answer. */
  answers: Record<string, unknown>;
  /** Which page comes after which, by path. */
  pages: Record<string, string>;
  /** What was asked of it beyond reading. */
  asked: [path: string, body: unknown][];
  push(info: CallInfo): void;
}

export const server: TestServer = { answers: {}, pages: {}, asked: [], push: () => {} };

class FakeEventSource {
  addEventListener(name: string, listener: (event: { data: string }) => void) {
    if (name === "call-updated") server.push = (info) => listener({ data: JSON.stringify(info) });
  }
  close() {}
}

/** Nothing comes into view, where there is no layout: no visit of these tests is a look at the records. */
class NeverInView {
  observe() {}
  disconnect() {}
}

/** To be called once in a file of tests: gives each test a server of its own. */
export function withTestServer(): void {
  // A whole page is drawn and pressed, maybe on a machine that is building meanwhile.
  vi.setConfig({ testTimeout: 60_000 });
  configure({ asyncUtilTimeout: 15_000 });
  beforeEach(() => {
    server.asked = [];
    server.pages = {};
    server.answers = { "/api/config": CONFIG, "/api/calls": [URGENT, QUIET] };
    vi.stubGlobal("EventSource", FakeEventSource);
    vi.stubGlobal("IntersectionObserver", NeverInView);
    vi.stubGlobal("fetch", async (asked: string | Request, init?: RequestInit) => {
      const request = new Request(typeof asked === "string" ? new URL(asked, location.href) : asked, init);
      const { pathname, search } = new URL(request.url);
      const path = request.method === "DELETE" ? `DELETE ${pathname}` : pathname;
      if (request.method !== "GET") server.asked.push([path, request.body && (await request.json())]);
      const known = [path + search, path].find((each) => each in server.answers);
      if (known === undefined) throw new TypeError("failed to fetch");
      const answer = await server.answers[known];
      if (answer instanceof Response) return answer.clone();
      const next = server.pages[known];
      return new Response(JSON.stringify(answer), {
        headers: next ? { Link: `<${next}>; rel="next"` } : {},
      });
    });
    vi.spyOn(console, "error").mockImplementation(() => {});
    // Has no layout, and so no scrolling.
    Element.prototype.scrollIntoView = vi.fn();
  });
  afterEach(() => {
    // Before its browser is taken away: a page that is put away first carries out what it had yet to do.
    cleanup();
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
}

/** Two microphones, of which the second hears. */
export const opened: (string | null)[] = [];
const MICROPHONES: Microphones = {
  list: async () => [
    { deviceId: "built-in", label: "Built-in" },
    { deviceId: "headset", label: "Headset" },
  ],
  open: async (deviceId) => {
    opened.push(deviceId);
    const level = () => (deviceId === "headset" ? 0.1 : 0);
    return {
      stream: {} as MediaStream,
      deviceId: deviceId ?? "built-in",
      muted: false,
      level,
      close: () => {},
    };
  },
};

export async function showPage(call: InMemoryCall = inMemoryCall(), path = "/Demo") {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={queries}>
      <MemoryRouter initialEntries={[path]}>
        <DemoPage client={call.client} microphones={MICROPHONES} />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  await screen.findByRole("heading", { name: "Call history" });
  return call;
}

export const cellsOf = (row: HTMLElement) => within(row).getAllByRole("cell").slice(0, 9);
export const textOf = (cell: HTMLElement) => {
  const copy = cell.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
  return copy.textContent;
};
export const row = async (n: number) => (await screen.findAllByRole("row"))[n] as HTMLElement;

export async function callUnderWay() {
  const call = await showPage();
  await row(1);
  await userEvent.click(screen.getByRole("button", { name: "Talk to Nightlight" }));
  await waitFor(() => expect(call.first.listener).not.toBeNull());
  await act(async () => call.first.listener?.message("listening"));
  return call;
}
