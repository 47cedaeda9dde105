import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { CALL, inMemoryDeskOf } from "../../desk/testing/in-memory-desk.ts";
import { HintControl } from "./HintControl.tsx";

afterEach(() => vi.unstubAllGlobals());

const HINTS = { hints: [{ code: "slow-down", label: "Slow down, with a breath" }] };
const WAY = `POST /calls/${CALL.callId}/hint`;

test("a hint is chosen by its label, whispered by its code, and told to have been", async () => {
  const desk = inMemoryDeskOf("supervisor", [CALL]);
  Object.assign(desk.answers, { "GET /hints": HINTS, [WAY]: null });
  render(<HintControl callId={CALL.callId} />);
  await screen.findByRole("option", { name: "Slow down, with a breath" });
  await userEvent.click(screen.getByRole("button", { name: "Whisper" }));
  expect(desk.asked).not.toContain(WAY);

  await userEvent.selectOptions(screen.getByLabelText("Hint to the assistant"), "slow-down");
  await userEvent.click(screen.getByRole("button", { name: "Whisper" }));
  expect(await screen.findByText(/^Whispered: Slow down/)).toBeVisible();
  expect(desk.sent[WAY]).toEqual({ hint: "slow-down" });
});

test("where the assistant has not the call any more, that is told", async () => {
  const desk = inMemoryDeskOf("supervisor", [CALL]);
  const why = "the assistant does not have this call now";
  Object.assign(desk.answers, {
    "GET /hints": HINTS,
    [WAY]: { refusal: [409, "call-not-with-assistant", why] },
  });
  render(<HintControl callId={CALL.callId} />);
  await screen.findByRole("option", { name: "Slow down, with a breath" });
  await userEvent.selectOptions(screen.getByLabelText("Hint to the assistant"), "slow-down");
  await userEvent.click(screen.getByRole("button", { name: "Whisper" }));
  expect((await screen.findByRole("alert")).textContent).toMatch(/\S/);
});
