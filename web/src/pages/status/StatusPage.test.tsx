/** The status page as an operator reads it, on a quiet night and on a bad one. */
import { act, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { LineStatus } from "../../api/contract.ts";
import { StatusPage } from "./StatusPage.tsx";
import { lengthOfTime } from "./status-words.ts";
import { ON_A_BAD_NIGHT, ON_A_QUIET_NIGHT } from "./testing/statuses.ts";

/** What the server answers: a status, a refusal by its status code, or nothing at all. */
let answer: LineStatus | number | null;
/** What opens it, if it is closed. */
let operatorKey: string | null;
let asked: number;

beforeEach(() => {
  answer = ON_A_QUIET_NIGHT;
  operatorKey = null;
  asked = 0;
  vi.stubGlobal("fetch", async ({ url, headers }: Request) => {
    expect(new URL(url).pathname).toBe("/api/status");
    asked += 1;
    if (answer === null) throw new TypeError("no answer");
    if (typeof answer === "number") return new Response("{}", { status: answer });
    if (operatorKey && headers.get("Authorization") !== `Bearer ${operatorKey}`)
      return new Response("{}", { status: 401 });
    return Response.json(answer);
  });
});

const part = (name: string) => {
  const row = screen.getByRole("heading", { level: 3, name }).closest("li");
  if (!row) throw new Error(`${name} is in no row`);
  return within(row);
};

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe("the status page", () => {
  it("tells an operator at once whether the line is up, and what is going on", async () => {
    render(<StatusPage />);
    expect(await screen.findByText("The line is open")).toBeVisible();
    expect(screen.getByText("on the line").nextElementSibling).toHaveTextContent("3");
    expect(screen.getByText("lines left").nextElementSibling).toHaveTextContent("46 of 50");
    expect(screen.getByText("Handed to an agency").nextElementSibling).toHaveTextContent("2");
    expect(part("Voice").getByText("Well")).toBeVisible();
    expect(part("Chat model").getByText("Not set")).toBeVisible();
    expect(screen.getByText("The log holds no warning and no error.")).toBeVisible();
    expect(screen.getByText(/^Version 0.1.0, running for 2 days 4 hours\. Told at 2:04:05 AM/)).toBeVisible();
  });

  it("says of each trouble what it means and what to do", async () => {
    answer = ON_A_BAD_NIGHT;
    render(<StatusPage />);
    expect(await screen.findByText("All lines are busy")).toBeVisible();
    const records = part("Records");
    expect(records.getByText("Failing")).toBeVisible();
    expect(records.getByText(/is not stored\. It is kept in memory/)).toHaveTextContent(
      "Make room on the disk",
    );
    expect(records.getByText(/Records cannot be read/)).toBeVisible();
    expect(part("Media address").getByText(/Set media_bind/)).toBeVisible();
    const fault = screen.getByText(/the records are slow/).closest("li");
    expect(fault).toHaveTextContent("Error: a turn is spoken before it is saved: the records are slow");
    expect(fault).toHaveTextContent("12 times, last 24/11/26 (2:03 AM)");
  });

  it("asks again by itself, and keeps what was told last when the server is gone", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      render(<StatusPage />);
      await screen.findByText("The line is open");
      answer = ON_A_BAD_NIGHT;
      await pass(5_000);
      await screen.findByText("All lines are busy");
      answer = null;
      await pass(5_000);
      await screen.findByText("The server does not answer");
      expect(screen.getByText("lines left").nextElementSibling).toHaveTextContent("0 of 50");
      expect(screen.getByText(/^Heard last at/)).toBeVisible();
      answer = ON_A_QUIET_NIGHT;
      await pass(5_000);
      await screen.findByText("The line is open");
    } finally {
      vi.useRealTimers();
    }
  });

  it("opens with the operator key, and says when it is not the one", async () => {
    operatorKey = "the-right-operator-key";
    render(<StatusPage />);
    const field = await screen.findByLabelText(/operator_key/);
    await userEvent.type(field, "another-key{Enter}");
    await screen.findByText("This is not the key that is set on this server.");
    await waitFor(() => expect(field).toHaveFocus());
    await userEvent.clear(field);
    await userEvent.type(field, `${operatorKey}{Enter}`);
    expect(await screen.findByText("The line is open")).toBeVisible();
  });

  it("says what to do where no key is set, and does not go on asking", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      answer = 403;
      render(<StatusPage />);
      await screen.findByRole("heading", { name: "This page is for operators" });
      expect(screen.queryByLabelText(/operator_key/)).toBeNull();
      expect(screen.getByText(/None is set on this server/)).toBeVisible();
      const before = asked;
      await pass(20_000);
      await waitFor(() => expect(asked).toBe(before));
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("how long it runs", () => {
  it("is told in its two largest units", () => {
    const from = "2026-11-23T00:00:00Z";
    expect(lengthOfTime(from, "2026-11-23T00:00:59Z")).toBe("less than a minute");
    expect(lengthOfTime(from, "2026-11-23T00:01:00Z")).toBe("1 minute");
    expect(lengthOfTime(from, "2026-11-23T05:07:00Z")).toBe("5 hours 7 minutes");
    expect(lengthOfTime(from, "2026-11-25T04:07:00Z")).toBe("2 days 4 hours");
  });
});
