/** The five steps of the mock, and what leads from one to the next. Nothing in it listens or speaks. */
import type { Persona } from "./personas.ts";

export type MockCall =
  | { step: "initial" }
  | { step: "request_microphone" | "connecting" | "in_call"; persona: Persona }
  | { step: "end_call" };

export type MockCallEvent =
  | { type: "persona-picked"; persona: Persona }
  | { type: "persona-left" }
  | { type: "microphone-allowed" }
  | { type: "connected" }
  | { type: "call-ended" }
  | { type: "started-again" };

export const START: MockCall = { step: "initial" };
export const CONNECTS_AFTER_MS = 1000;
/** The timer is a picture of one: it does not run. */
export const TIMER = "00:08";

/** An event that does not belong to the step changes nothing. */
export function next(call: MockCall, event: MockCallEvent): MockCall {
  switch (event.type) {
    case "persona-picked":
      return call.step === "initial" ? { step: "request_microphone", persona: event.persona } : call;
    case "persona-left":
      return call.step === "request_microphone" ? START : call;
    case "microphone-allowed":
      return call.step === "request_microphone" ? { step: "connecting", persona: call.persona } : call;
    case "connected":
      return call.step === "connecting" ? { step: "in_call", persona: call.persona } : call;
    case "call-ended":
      return call.step === "in_call" ? { step: "end_call" } : call;
    case "started-again":
      return call.step === "end_call" ? START : call;
  }
}
