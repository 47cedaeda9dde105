/** Getting in at the desk: signing in, and an invitation. */
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { type InMemoryDesk, inMemoryDesk, signedAs } from "../../desk/testing/in-memory-desk.ts";
import { DeskPage } from "./DeskPage.tsx";

const TOKEN = "0123456789abcdef".repeat(4);

let desk: InMemoryDesk;

beforeEach(() => {
  window.history.replaceState(null, "", "/desk");
});

const button = (name: string | RegExp) => screen.getByRole("button", { name });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));

describe("signing in", () => {
  beforeEach(() => {
    desk = inMemoryDesk();
  });

  const fill = async () => {
    await userEvent.type(await screen.findByLabelText("Sign-in name"), " mei.tan ");
    await userEvent.type(screen.getByLabelText("Password"), "correct horse battery");
    await userEvent.type(screen.getByLabelText("Code"), "123 456");
    await userEvent.click(button("Sign in"));
  };

  it("takes a name, a password and a code, and opens the desk", async () => {
    Object.assign(desk.answers, {
      "POST /sign-in": { ...signedAs("officer"), recoveryCodes: 9 },
      "GET /live": { calls: [] },
      "GET /duty": { onDuty: false },
    });
    render(<DeskPage />);
    await fill();
    expect(await screen.findByText("Mei Tan")).toBeVisible();
    expect(desk.sent["POST /sign-in"]).toEqual({
      signInName: "mei.tan",
      password: "correct horse battery",
      code: "123456",
    });
  });

  it("says one thing when it is refused, and keeps what was typed", async () => {
    desk.answers["POST /sign-in"] = { refusal: [401, "sign-in-refused", "check all three"] };
    render(<DeskPage />);
    await fill();
    expect(await screen.findByRole("alert")).toHaveTextContent("Check all three.");
    expect(screen.getByLabelText("Sign-in name")).toHaveValue(" mei.tan ");
  });

  it("says how long to wait after too many tries", async () => {
    desk.answers["POST /sign-in"] = { refusal: [429, "rate-limited", "", 40] };
    render(<DeskPage />);
    await fill();
    expect(await screen.findByRole("alert")).toHaveTextContent("Try again in 40 seconds.");
  });

  it("can be filled in by the browser", async () => {
    render(<DeskPage />);
    expect(await screen.findByLabelText("Sign-in name")).toHaveAttribute("autocomplete", "username");
    expect(screen.getByLabelText("Password")).toHaveAttribute("autocomplete", "current-password");
    expect(screen.getByLabelText("Code")).toHaveAttribute("autocomplete", "one-time-code");
  });

  it("offers the organisation's own way in where there is one, and keeps the other", async () => {
    desk.answers["GET /provider"] = { provider: "Line Example" };
    desk.answers["POST /provider"] = { refusal: [503, "provider-unreachable"] };
    render(<DeskPage />);
    await press("Sign in with Line Example");
    expect(await screen.findByRole("alert")).toHaveTextContent("does not answer");
    expect(screen.getByLabelText("Password")).toBeEnabled();
  });

  it("says why somebody whom the provider sent back was not let in, once", async () => {
    window.history.replaceState(null, "", "/desk?provider=refused");
    render(<DeskPage />);
    expect(await screen.findByText(/You were not let in/)).toBeVisible();
    expect(window.location.search).toBe("");
  });

  it("says how a desk is set up where there is none", async () => {
    desk.answers["GET /me"] = { refusal: [404, "path-not-found"] };
    render(<DeskPage />);
    expect(await screen.findByRole("alert")).toHaveTextContent("nightlight desk add-officer");
  });
});

describe("an invitation", () => {
  beforeEach(() => {
    desk = inMemoryDesk();
    window.history.replaceState(null, "", `/desk#${TOKEN}`);
    desk.answers["POST /invitation"] = {
      name: "Mei Tan",
      signInName: "mei.tan",
      until: "2026-11-25T00:00:00Z",
      totpSecret: "JBSWY3DPEHPK3PXP",
      totpAddress: "otpauth://totp/Nightlight:mei.tan?secret=JBSWY3DPEHPK3PXP",
    };
  });

  it("is taken out of the address, and shows what the app needs", async () => {
    render(<DeskPage />);
    expect(window.location.hash).toBe("");
    await screen.findByRole("heading", { name: "Welcome to the duty desk, Mei Tan" });
    expect(desk.sent["POST /invitation"]).toEqual({ token: TOKEN });
    expect(screen.getByRole("img", { name: /QR picture/ })).toBeVisible();
    expect(screen.getByText("JBSW Y3DP EHPK 3PXP")).toBeVisible();
  });

  it("is accepted with a password and a first code; then the recovery codes are shown once", async () => {
    const codes = Array.from({ length: 10 }, (_, i) => `code-${i}`);
    desk.answers["POST /invitation/accept"] = { recoveryCodes: codes };
    render(<DeskPage />);
    await userEvent.type(await screen.findByLabelText("Password"), "a password of mine");
    await userEvent.type(screen.getByLabelText("Code"), "123456");
    await press("Set up my account");
    const shown = await screen.findByRole("list", { name: "Recovery codes" });
    expect(within(shown).getAllByRole("listitem")).toHaveLength(10);
    await press("I have kept them: sign in");
    expect(await screen.findByLabelText("Sign-in name")).toHaveValue("mei.tan");
    expect(screen.queryByText("code-1")).toBeNull();
  });

  it("asks for a longer password before it asks the server", async () => {
    render(<DeskPage />);
    await userEvent.type(await screen.findByLabelText("Password"), "short");
    await userEvent.type(screen.getByLabelText("Code"), "123456");
    await press("Set up my account");
    expect(screen.getByRole("alert")).toHaveTextContent("12 characters or more");
    expect(desk.asked).not.toContain("POST /invitation/accept");
  });

  it("says what to do when it is not good any more", async () => {
    desk.answers["POST /invitation"] = { refusal: [404, "invitation-not-found"] };
    render(<DeskPage />);
    expect(await screen.findByRole("alert")).toHaveTextContent("Ask an administrator to invite you again.");
  });
});
