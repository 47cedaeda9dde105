/** The five steps of the mock call, and what leads from one to the next. */
import { type MockCallEvent, next, START } from "./mock-call.ts";
import { PERSONAS } from "./personas.ts";

const [ember] = PERSONAS;
if (!ember) throw new Error("there are personas");

const EVENTS: MockCallEvent[] = [
  { type: "persona-picked", persona: ember },
  { type: "microphone-allowed" },
  { type: "connected" },
  { type: "call-ended" },
  { type: "started-again" },
];

test("the five steps follow one another and lead back to the first", () => {
  const steps = [START];
  for (const event of EVENTS) steps.push(next(steps.at(-1) ?? START, event));
  expect(steps).toEqual([
    { step: "initial" },
    { step: "request_microphone", persona: ember },
    { step: "connecting", persona: ember },
    { step: "in_call", persona: ember },
    { step: "end_call" },
    { step: "initial" },
  ]);
});

test("from each step only its own event leads on", () => {
  let call = START;
  for (const own of EVENTS) {
    for (const event of EVENTS.filter((each) => each !== own)) expect(next(call, event)).toBe(call);
    call = next(call, own);
  }
});

test("from the microphone step there is a way back to choosing a persona, and from no other", () => {
  let call = START;
  for (const event of EVENTS) {
    const back = next(call, { type: "persona-left" });
    if (call.step === "request_microphone") expect(back).toEqual(START);
    else expect(back).toBe(call);
    call = next(call, event);
  }
});
