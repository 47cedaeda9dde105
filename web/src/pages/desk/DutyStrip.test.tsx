/** What is told of the time after a call, and how it is ended. */
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { Duty } from "../../desk/use-desk.ts";
import { DutyStrip } from "./DutyStrip.tsx";

const shown = (more: Partial<Duty>) => {
  const duty: Duty = {
    onDuty: true,
    wrapUpUntil: null,
    changing: false,
    trouble: null,
    set: vi.fn(async () => {}),
    ...more,
  };
  render(<DutyStrip duty={duty} agencies={["SOS"]} connected keys onKeys={() => {}} />);
  return duty;
};

test("after a call one sees when the desk rings again, and can have it ring at once", async () => {
  const duty = shown({ wrapUpUntil: new Date(Date.now() + 60_000).toISOString() });
  expect(screen.getByText(/^Wrapping up: your desk rings again in/)).toBeVisible();
  await userEvent.click(screen.getByRole("button", { name: "Ring me now" }));
  expect(duty.set).toHaveBeenCalledWith(true);
});

test("otherwise nothing is told of it", () => {
  shown({ wrapUpUntil: new Date(Date.now() - 1000).toISOString() });
  expect(screen.queryByText(/Wrapping up/)).toBeNull();
});
