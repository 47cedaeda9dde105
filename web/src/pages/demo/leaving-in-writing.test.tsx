/** Exit this page during a written conversation. In a file of its own, because a page is left once. */
import { act, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { fallSilent } from "../../call/leaving.ts";
import { row, server, showPage, withTestServer } from "./testing/shown-page.tsx";

withTestServer();

it("ends the conversation at once", async () => {
  server.answers["/chat"] = {
    id: "c0",
    sessionId: "written-1",
    output: [{ role: "assistant", content: "Are you safe?" }],
    status: "in-progress",
  };
  await showPage();
  await row(1);
  await userEvent.click(screen.getByRole("button", { name: "Write instead" }));
  await screen.findByRole("textbox", { name: "Your message" });
  await act(async () => fallSilent());
  expect(server.asked.at(-1)?.[0]).toBe("DELETE /chat/c0");
});
