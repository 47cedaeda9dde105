/** A desk's server that tests play by hand: its answers, its events, and the lines to its calls. */
import { act } from "@testing-library/react";
import { vi } from "vitest";
import { InMemoryTransport } from "../../voice/testing/in-memory-call.ts";
import type { CallEvents, DeskAccount, DeskCall, DeskEvents, NodeName, Role, Signed } from "../contract.ts";
import type { LineParts, OwnVoice } from "../officer-line.ts";

export const MEI: DeskAccount = {
  id: "11111111-0000-4000-8000-000000000001",
  name: "Mei Tan",
  signInName: "mei.tan",
  role: "officer",
  agencies: ["PAVE"],
  languages: ["en"],
  state: "active",
};

const MAY: Record<Role, Signed["may"]> = {
  officer: {
    "see-queue": "own-agency",
    "see-case": "own-agency",
    "enter-case": "own-agency",
    "edit-note": "own-agency",
    "close-case": "own-agency",
    "hold-record": "own-agency",
    "read-report": "own-agency",
    export: "never",
    "accept-call": "own-agency",
    "take-shift": "all",
    "listen-in": "never",
  },
  supervisor: {
    "see-queue": "all",
    "see-case": "all",
    "enter-case": "all",
    "edit-note": "all",
    "close-case": "all",
    "hold-record": "all",
    "read-report": "all",
    export: "all",
    "take-shift": "all",
    "manage-shifts": "all",
    "listen-in": "all",
    whisper: "all",
    "take-over": "all",
  },
  administrator: { "manage-accounts": "all", "see-queue": "never" },
  auditor: { "read-audit": "all" },
};

export const signedAs = (role: Role): Signed => ({
  account: { ...MEI, role },
  may: MAY[role],
  until: "2026-11-24T20:00:00Z",
});

export const CALL: DeskCall = {
  callId: "0f3b2c44-0000-4000-8000-000000000001",
  startedAt: "2026-11-24T18:00:00Z",
  agency: "PAVE",
  urgent: true,
  state: "assistant",
  since: "2026-11-24T18:02:00Z",
  holdEndsAt: null,
  officer: null,
  yours: false,
  mayListen: true,
  step: { code: "finding-out", words: "finding out what is wrong" },
};

/** What the browser's own would do, with every stream at hand. */
export class InMemoryEventSource extends EventTarget {
  static streams: InMemoryEventSource[] = [];
  /** What happens as one is opened. */
  static opened: (stream: InMemoryEventSource) => void = () => {};
  readonly url: string;
  closed = false;

  constructor(url: string) {
    super();
    this.url = url;
    InMemoryEventSource.streams.push(this);
    InMemoryEventSource.opened(this);
  }
  close(): void {
    this.closed = true;
  }
  open(): void {
    this.dispatchEvent(new Event("open"));
  }
  break(): void {
    this.dispatchEvent(new Event("error"));
  }
  tell(name: keyof DeskEvents | keyof CallEvents, data: object): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }
}

const OF_A_CALL = /\/live\/[^/]+\/events$/;

type Answer = object | null | { refusal: [status: number, code: string, message?: string, after?: number] };

export interface InMemoryDesk {
  /** By method and path after `/api/desk`; one that is not set is refused. */
  answers: Record<string, Answer>;
  /** What was asked for, in order. */
  asked: string[];
  /** With what stands after the path, such as a page's mark. */
  addresses: string[];
  /** What was sent last, by method and path. */
  sent: Record<string, unknown>;
  /** The open stream of events, of this node where there are several. */
  events(node?: string): InMemoryEventSource;
  /** The open stream of the call that is open on the page. */
  callEvents(): InMemoryEventSource;
  /** Tells of the call that is open on the page. */
  tellOfCall<Name extends keyof CallEvents>(name: Name, data: CallEvents[Name]): Promise<void>;
  /** Tells an event, and lets the page take it in. */
  tell<Name extends keyof DeskEvents>(name: Name, data: DeskEvents[Name]): Promise<void>;
  connect(): Promise<void>;
}

/** A desk where nobody is signed in. */
export function inMemoryDesk(): InMemoryDesk {
  InMemoryEventSource.streams = [];
  const desk: InMemoryDesk = {
    answers: { "GET /me": { refusal: [401, "not-signed-in"] } },
    asked: [],
    addresses: [],
    sent: {},
    events: (node) => {
      const isIts = (url: string) =>
        node === undefined ? url.endsWith("/api/desk/events") : url === `/node/${node}/api/desk/events`;
      const stream = InMemoryEventSource.streams.findLast(({ closed, url }) => !closed && isIts(url));
      if (!stream) throw new Error("no stream of events is open");
      return stream;
    },
    callEvents: () => {
      const isOne = ({ closed, url }: InMemoryEventSource) => !closed && OF_A_CALL.test(url);
      const stream = InMemoryEventSource.streams.findLast(isOne);
      if (!stream) throw new Error("no call is open");
      return stream;
    },
    tellOfCall: (name, data) => act(async () => desk.callEvents().tell(name, data)),
    tell: (name, data) => act(async () => desk.events().tell(name, data)),
    connect: () => act(async () => desk.events().open()),
  };
  vi.stubGlobal("EventSource", InMemoryEventSource);
  // A call's stream begins with what reading it gives, or is refused as that is.
  InMemoryEventSource.opened = (stream) => {
    if (!OF_A_CALL.test(stream.url)) return;
    const path = stream.url.replace(/^\/api\/desk/, "");
    desk.asked.push(`GET ${path}`);
    const answer = desk.answers[`GET ${path.replace(/\/events$/, "")}`];
    void Promise.resolve().then(() => {
      if (stream.closed) return;
      if (!answer || "refusal" in answer) return stream.break();
      stream.open();
      stream.tell("inside", answer);
    });
  };
  vi.stubGlobal("fetch", async (request: Request) => {
    const { method, url } = request;
    const address = url.slice(location.origin.length);
    const path = address.replace(/^\/api\/desk/, "").replace(/\?.*/, "");
    const name = `${method} ${path}`;
    desk.asked.push(name);
    desk.addresses.push(address);
    if (request.body) desk.sent[name] = await request.json();
    const answer = desk.answers[name];
    if (answer === undefined) return refused(404, "path-not-found");
    if (answer === null) return new Response(null, { status: 204 });
    return "refusal" in answer ? refused(...answer.refusal) : Response.json(answer);
  });
  return desk;
}

function refused(status: number, code: string, message = "", after?: number): Response {
  return Response.json(
    { statusCode: status, code, message, error: "" },
    { status, headers: after === undefined ? {} : { "Retry-After": String(after) } },
  );
}

/** A desk where somebody is signed in, with these calls. */
export function inMemoryDeskOf(role: Role, calls: DeskCall[] = []): InMemoryDesk {
  const desk = inMemoryDesk();
  Object.assign(desk.answers, {
    "GET /me": signedAs(role),
    "GET /live": { calls },
    "GET /duty": { onDuty: false },
    "PUT /duty": { onDuty: true },
  });
  for (const call of calls) {
    desk.answers[`GET /live/${call.callId}`] = {
      call,
      note: {
        summaryTitle: "Afraid of her husband",
        summary: "The caller is afraid.",
        structuredData: { location: "Toa Payoh" },
      },
      signals: [{ claim: "violence now", words: "he hit me" }],
      captions: [{ speaker: "caller", officer: null, text: "He hit me", at: 4 }],
    };
  }
  return desk;
}

export interface InMemoryLine extends LineParts {
  transport: InMemoryTransport;
  microphones: number;
  voiceLetIn: boolean;
  /** By the node that gives them. */
  relays: Map<NodeName, RTCIceServer[]>;
}

export function inMemoryLine(): InMemoryLine {
  const microphone = () => ({
    stream: {} as MediaStream,
    deviceId: null,
    muted: false,
    level: () => 0,
    close: () => {},
  });
  const line: InMemoryLine = {
    transport: new InMemoryTransport(),
    microphones: 0,
    voiceLetIn: false,
    relays: new Map(),
    fetchRelays: async (node) => line.relays.get(node) ?? [],
    openMicrophone: async () => {
      line.microphones++;
      return microphone();
    },
    silence: (): OwnVoice => ({
      ...microphone(),
      letIn: () => {
        line.voiceLetIn = true;
      },
    }),
    createTransport: () => line.transport,
  };
  return line;
}
