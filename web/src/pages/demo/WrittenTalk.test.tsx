/** A written conversation on `/Demo`: begun, held, ended, and kept where it cannot be sent. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { shownNotice } from "../../call/notice.ts";
import {
  cellsOf,
  HOSTED_CONFIG,
  row,
  server,
  showPage,
  textOf,
  withTestServer,
} from "./testing/shown-page.tsx";

withTestServer();

describe("a written conversation", () => {
  const GREETING = {
    id: "c0",
    sessionId: "written-1",
    output: [{ role: "assistant", content: "Are you safe?" }],
    status: "in-progress",
  };
  const HANDED_OVER = {
    ...GREETING,
    id: "c1",
    output: [],
    status: "ended",
    endedReason: "assistant-forwarded-call",
    transfer: { mode: "warm", agency: "SOS" },
  };
  const lines = () =>
    within(screen.getByRole("log", { name: "Conversation" }))
      .getAllByRole("listitem")
      .map((line) => line.textContent);

  async function writing() {
    server.answers["/chat"] = GREETING;
    await showPage();
    await row(1);
    await userEvent.click(screen.getByRole("button", { name: "Write instead" }));
    return screen.findByRole("textbox", { name: "Your message" });
  }

  it("is greeted, answered, and stands in the history as a call does", async () => {
    const field = await writing();
    const assistantOverrides = { variableValues: { agency: "", notice: shownNotice(30) } };
    expect(server.asked).toEqual([["/chat", { assistantId: "nightlight", assistantOverrides, input: "" }]]);
    await waitFor(() => expect(field).toHaveFocus());
    await waitFor(async () => {
      const cells = cellsOf(await row(1)).map(textOf);
      expect([cells[1], cells[2]]).toEqual(["written-…", "Ongoing"]);
    });

    server.answers["/chat"] = {
      ...GREETING,
      id: "c1",
      output: [{ role: "assistant", content: "I am here." }],
    };
    await userEvent.type(field, "No{Shift>}{Enter}{/Shift}he is here{Enter}");
    expect(server.asked.at(-1)).toEqual(["/chat", { previousChatId: "c0", input: "No\nhe is here" }]);
    await waitFor(() =>
      expect(lines()).toEqual(["NightlightAre you safe?", "YouNo\nhe is here", "NightlightI am here."]),
    );
    expect(field).toHaveValue("");
    expect(field).toHaveFocus();
  });

  it("is held here, under the usual words, also where the hosted platform holds calls", async () => {
    server.answers["/api/config"] = HOSTED_CONFIG;
    await writing();
    const assistantOverrides = { variableValues: { agency: "", notice: shownNotice(30) } };
    expect(server.asked).toEqual([["/chat", { assistantId: "nightlight", assistantOverrides, input: "" }]]);
    expect(screen.queryByText(/Another company/)).toBeNull();
  });

  it("is begun under what was told beside the button, and says so", async () => {
    server.answers["/chat"] = GREETING;
    server.answers["/api/config"] = { ...(server.answers["/api/config"] as object), recordsKeptDays: 7 };
    await showPage(undefined, "/Demo?by=writing");
    expect(
      await screen.findByText(/kept in writing for up to 7 days .* stated reason.* duty team can read it/),
    ).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Write to Nightlight" }));
    await screen.findByRole("textbox", { name: "Your message" });
    const assistantOverrides = { variableValues: { agency: "", notice: shownNotice(7) } };
    expect(server.asked).toEqual([["/chat", { assistantId: "nightlight", assistantOverrides, input: "" }]]);
  });

  it("says when the assistant has ended it, and can be begun again", async () => {
    const field = await writing();
    server.answers["/chat"] = HANDED_OVER;
    await userEvent.type(field, "Help{Enter}");
    expect(
      await screen.findByText(/^The conversation was handed over\. This demonstration dials nobody/),
    ).toBeVisible();
    // The form has gone; what the end means is read next, and the number to ring is one Tab away.
    expect(
      screen.getByRole("heading", { name: "Handed over to Samaritans of Singapore (SOS)" }),
    ).toHaveFocus();
    await userEvent.tab();
    expect(screen.getByRole("link", { name: /^Ring 1767/ })).toHaveFocus();
    expect(screen.getByRole("button", { name: "Write to Nightlight" })).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Talk instead" }));
    expect(screen.getByRole("button", { name: "Talk to Nightlight" })).toHaveFocus();
  });

  it("leaves the focus with who has gone to the records meanwhile", async () => {
    const field = await writing();
    let answer = (_: unknown) => {};
    server.answers["/chat"] = new Promise((answers) => {
      answer = answers;
    });
    await userEvent.type(field, "Help{Enter}");
    await userEvent.click(screen.getByRole("searchbox", { name: "Search" }));
    answer(HANDED_OVER);
    await screen.findByText(/^The conversation was handed over/);
    expect(screen.getByRole("searchbox", { name: "Search" })).toHaveFocus();
  });

  it("is ended by the caller", async () => {
    await writing();
    server.answers["DELETE /chat/c0"] = {};
    await userEvent.click(screen.getByRole("button", { name: "End conversation" }));
    expect(server.asked.at(-1)).toEqual(["DELETE /chat/c0", null]);
    expect(screen.getByText("The conversation has ended. You can write again at any time")).toBeVisible();
  });

  it("keeps what could not be sent, with the numbers to ring", async () => {
    const field = await writing();
    delete server.answers["/chat"];
    await userEvent.type(field, "Help{Enter}");
    const notice = await screen.findByRole("alert");
    expect(within(notice).getByRole("heading", { name: "Your message was not sent" })).toBeVisible();
    expect(within(notice).getByRole("link", { name: /^70999/ })).toBeVisible();
    expect(field).toHaveValue("Help");

    server.answers["/chat"] = {
      ...GREETING,
      id: "c1",
      output: [{ role: "assistant", content: "I am here." }],
    };
    await userEvent.click(screen.getByRole("button", { name: "Send again" }));
    await waitFor(() =>
      expect(lines()).toEqual(["NightlightAre you safe?", "YouHelp", "NightlightI am here."]),
    );
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("that cannot start says so", async () => {
    await showPage(undefined, "/Demo?by=writing");
    await userEvent.click(screen.getByRole("button", { name: "Write to Nightlight" }));
    const notice = await screen.findByRole("alert");
    expect(within(notice).getByRole("heading", { name: "Nightlight cannot be reached" })).toBeVisible();
  });
});
