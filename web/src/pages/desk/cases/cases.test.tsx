/** The desk's cases as an officer works on them: the queue, one case, its note, its follow-ups, its end. */
import { act, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CaseInside, CaseSummary } from "../../../desk/case-contract.ts";
import {
  CASE,
  caseAt,
  FOLLOW_UP,
  INSIDE,
  inMemoryCaseDesk,
  JOAN,
  MACHINE_NOTE,
  setCases,
} from "../../../desk/testing/cases.ts";
import type { InMemoryDesk } from "../../../desk/testing/in-memory-desk.ts";
import { DeskPage } from "../DeskPage.tsx";

const ID = CASE.callId;
const OTHER_ID = "0f3b2c44-0000-4000-8000-0000000000a2";
const OTHER: CaseInside = {
  ...INSIDE,
  case: { ...CASE, callId: OTHER_ID, title: "Wants to talk", urgent: false, yours: false, takenBy: JOAN },
};

// A whole page is looked through by roles, on machines that do other things too.
vi.setConfig({ testTimeout: 20_000 });
configure({ asyncUtilTimeout: 5_000 });

let desk: InMemoryDesk;

beforeEach(() => {
  window.history.replaceState(null, "", "/desk");
  Element.prototype.scrollIntoView = vi.fn();
});

const of = (more: Partial<CaseSummary>, inside: Partial<CaseInside> = {}): CaseInside => ({
  ...INSIDE,
  ...inside,
  case: { ...CASE, ...more },
});

/** The cases of somebody who is signed in; with one of them open, if its id is given. */
async function openCases(cases: readonly CaseInside[], opened: string | null = ID) {
  desk = inMemoryCaseDesk("officer", cases);
  window.history.replaceState(null, "", `/desk#cases${opened ? `/${opened}` : ""}`);
  render(<DeskPage />);
  await screen.findByRole("list", { name: "Cases" });
  await desk.connect();
  if (opened) await screen.findByRole("heading", { name: "Action taken" });
}
const queue = () => within(screen.getByRole("list", { name: "Cases" }));
const button = (name: string | RegExp) => screen.getByRole("button", { name });
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole("button", { name }));
/** At once: letter by letter takes its time. */
const fill = (field: HTMLElement, words: string) => fireEvent.change(field, { target: { value: words } });
const settle = (ms: number) => act(() => new Promise((resolve) => setTimeout(resolve, ms)));
const asked = (name: string) => desk.asked.filter((each) => each === name).length;

/** What the server answers from now on, and that it says so. */
async function changed(cases: readonly CaseInside[], callId = ID) {
  setCases(desk, cases);
  await desk.tell("case", { callId });
  await settle(450);
}

describe("the queue", () => {
  it("stands in the server's order, with what stands out told in words", async () => {
    const first = of({ state: "waiting", yours: false, takenBy: null, escalated: true, returned: 2 });
    await openCases([first, OTHER], null);
    const [one, two] = queue().getAllByRole("link");
    expect(one).toHaveTextContent("Hurt by her husband, afraid to go home");
    expect(one).toHaveTextContent("PAVE, waiting, 1 follow-up");
    expect(one).toHaveTextContent("Urgent");
    expect(one).toHaveTextContent("Escalated");
    expect(two).toHaveTextContent("PAVE, with Joan Ong");
    expect(two).not.toHaveTextContent("Urgent");
    expect(desk.asked.some((each) => each.startsWith("GET /cases/"))).toBe(false);
  });

  it("shows those that wait, one's own, and the closed ones", async () => {
    await openCases([INSIDE, OTHER], null);
    await press("Yours");
    expect(queue().getAllByRole("link")).toHaveLength(1);
    await press("Waiting");
    expect(screen.getByText("No case waits.")).toBeVisible();
    await press("Closed");
    await waitFor(() => expect(desk.addresses.at(-1)).toContain("state=closed"));
  });

  it("is walked through by the arrow keys", async () => {
    await openCases([INSIDE, OTHER], null);
    const [one, two] = queue().getAllByRole("link");
    one?.focus();
    await userEvent.keyboard("{ArrowDown}");
    expect(two).toHaveFocus();
    await userEvent.keyboard("{ArrowDown}{Home}");
    expect(one).toHaveFocus();
  });

  it("fetches more where there are more", async () => {
    desk = inMemoryCaseDesk("officer", [INSIDE]);
    desk.answers["GET /cases"] = { cases: [INSIDE.case], next: "mark" };
    window.history.replaceState(null, "", "/desk#cases");
    render(<DeskPage />);
    await screen.findByText("1 and more");
    desk.answers["GET /cases"] = { cases: [OTHER.case], next: null };
    await press("More cases");
    await waitFor(() => expect(queue().getAllByRole("link")).toHaveLength(2));
    expect(desk.addresses.at(-1)).toContain("after=mark");
    expect(screen.queryByRole("button", { name: "More cases" })).toBeNull();
  });

  it("is read once for what is told at once", async () => {
    await openCases([INSIDE, OTHER], null);
    const before = asked("GET /cases");
    for (let i = 0; i < 20; i++) await desk.tell("case", { callId: `${i}` });
    await settle(450);
    expect(asked("GET /cases")).toBe(before + 1);
  });
});

describe("every place", () => {
  it("tells how many cases wait, and of those that came back", async () => {
    await openCases([of({ state: "waiting", takenBy: null, yours: false, urgent: false })], null);
    await userEvent.click(screen.getByRole("link", { name: "Desk" }));
    const cases = screen.getByRole("link", { name: "Cases" });
    expect(cases).toHaveAccessibleDescription("1 waiting");
    await changed([of({ state: "waiting", takenBy: null, yours: false, escalated: true, returned: 1 })]);
    expect(cases).toHaveAccessibleDescription("1 waiting, 1 urgent, 1 escalated");
    await changed([INSIDE]);
    expect(cases).not.toHaveAttribute("aria-describedby");
  });
});

describe("a case", () => {
  it("is held by the address, and opened from the queue", async () => {
    await openCases([INSIDE, OTHER], null);
    await userEvent.click(queue().getByRole("link", { name: /Hurt by her husband/ }));
    const title = await screen.findByRole("heading", { level: 2, name: MACHINE_NOTE.summaryTitle });
    await waitFor(() => expect(title).toHaveFocus());
    expect(window.location.hash).toBe(`#cases/${ID}`);
    expect(queue().getByRole("link", { name: /Hurt/ })).toHaveAttribute("aria-current", "true");
  });

  it("leads from a claim to its words in the transcript", async () => {
    await openCases([INSIDE]);
    await press(/he hit me again tonight/);
    const transcript = within(screen.getByRole("region", { name: "Transcript" }));
    expect(transcript.getByText("he hit me again tonight", { selector: "mark" })).toBeVisible();
    expect(transcript.getAllByRole("listitem")[1]).toHaveFocus();
  });

  it("names each officer in the transcript, and says officer of one whose name is not known", async () => {
    const said = (officer: string | null) =>
      ({ speaker: "officer", officer, text: "I am here", at: 71 }) as const;
    const messages = [said("Mei Tan"), said("Ravi Kumar"), said(null)];
    await openCases([of({}, { messages, evidence: [] })]);
    const transcript = within(screen.getByRole("region", { name: "Transcript" }));
    expect(transcript.getAllByRole("listitem").map((line) => line.textContent)).toEqual([
      "Officer Mei Tan 1:11I am here",
      "Officer Ravi Kumar 1:11I am here",
      "Officer 1:11I am here",
    ]);
  });

  it("says who did what", async () => {
    await openCases([INSIDE]);
    const timeline = within(screen.getByRole("region", { name: "Timeline" }));
    expect(timeline.getAllByRole("listitem").at(-1)).toHaveTextContent("took the case Mei Tan");
  });

  it("is taken and given back", async () => {
    await openCases([of({ state: "waiting", takenBy: null, yours: false })]);
    desk.answers[`POST ${caseAt()}/take`] = null;
    desk.answers[`POST ${caseAt()}/give-back`] = null;
    setCases(desk, [INSIDE]);
    await press("Take this case");
    await press("Give it back");
    await waitFor(() => expect(desk.asked).toContain(`POST ${caseAt()}/give-back`));
  });

  it("says which colleague was first", async () => {
    await openCases([of({ state: "waiting", takenBy: null, yours: false })]);
    desk.answers[`POST ${caseAt()}/take`] = { refusal: [409, "case-taken", "Joan Ong has this case"] };
    await press("Take this case");
    expect(await screen.findByText("Joan Ong has this case.")).toBeVisible();
  });

  it("of a colleague is taken only when that was asked for twice", async () => {
    await openCases([OTHER], OTHER_ID);
    desk.answers[`POST ${caseAt(OTHER_ID)}/take`] = null;
    await press("Take it from Joan Ong");
    expect(desk.asked).not.toContain(`POST ${caseAt(OTHER_ID)}/take`);
    await press("Take it");
    await waitFor(() => expect(desk.asked).toContain(`POST ${caseAt(OTHER_ID)}/take`));
  });

  it("that is not there any more says so", async () => {
    desk = inMemoryCaseDesk("officer", [OTHER]);
    desk.answers[`GET ${caseAt()}`] = { refusal: [404, "case-not-found"] };
    window.history.replaceState(null, "", `/desk#cases/${ID}`);
    render(<DeskPage />);
    expect(await screen.findByRole("heading", { name: "This case cannot be shown" })).toBeVisible();
    expect(screen.getByText(/is not there any more, or is not yours to see/)).toBeVisible();
  });

  it("that one may only read has nothing to change", async () => {
    const may = { take: false, edit: false, close: false, reopen: false, hold: false };
    await openCases([of({ yours: false, takenBy: JOAN }, { may })]);
    for (const act of ["Edit the note", "Close the case", "Hold", "Add a task", "Add a number"])
      expect(screen.queryByRole("button", { name: act })).toBeNull();
    expect(screen.queryByRole("checkbox")).toBeNull();
  });
});

describe("a note", () => {
  const edit = async (words: string) => {
    await press("Edit the note");
    fill(screen.getByLabelText("Title"), words);
  };
  const note = (summaryTitle: string) => ({ ...MACHINE_NOTE, summaryTitle });

  it("is edited with the assistant's version beside it, and saved over the version that was read", async () => {
    await openCases([INSIDE]);
    desk.answers[`PUT ${caseAt()}/note`] = { version: 4 };
    await edit("At her neighbour’s");
    expect(screen.getAllByText("The assistant’s version, as it was written")[0]).toBeInTheDocument();
    setCases(desk, [of({}, { version: 4, note: note("At her neighbour’s") })]);
    await press("Save the note");
    await waitFor(() => expect(button("Edit the note")).toHaveFocus());
    expect(desk.sent[`PUT ${caseAt()}/note`]).toEqual({ version: 3, ...note("At her neighbour’s") });
    expect(screen.getAllByText(MACHINE_NOTE.summaryTitle).length).toBeGreaterThan(1);
  });

  it("that is being written keeps its case from going back, where that is one's own", async () => {
    const id = "0f3b2c44-0000-4000-8000-0000000000a8";
    await openCases([of({ callId: id })], id);
    expect(asked(`POST ${caseAt(id)}/touch`)).toBe(0);
    await edit("She is at");
    await waitFor(() => expect(asked(`POST ${caseAt(id)}/touch`)).toBe(1));
  });

  it("that is being written in a colleague's case is not told as theirs", async () => {
    const id = "0f3b2c44-0000-4000-8000-0000000000a9";
    await openCases([of({ callId: id, yours: false, takenBy: JOAN })], id);
    await edit("She is at");
    await settle(20);
    expect(asked(`POST ${caseAt(id)}/touch`)).toBe(0);
  });

  it("that a colleague changed meanwhile is shown beside one's own, and nothing typed is lost", async () => {
    await openCases([INSIDE]);
    await edit("Mine");
    const theirs = of({}, { version: 4, note: note("Theirs") });
    setCases(desk, [theirs]);
    desk.answers[`PUT ${caseAt()}/note`] = { refusal: [409, "case-changed"] };
    await press("Save the note");
    expect(await screen.findByText(/changed while you were writing/)).toBeVisible();
    expect(screen.getByText("Theirs")).toBeVisible();
    expect(screen.getByLabelText("Title")).toHaveValue("Mine");
    desk.answers[`PUT ${caseAt()}/note`] = { version: 5 };
    await press("Keep mine, to save over it");
    await press("Save the note");
    await waitFor(() => expect(desk.sent[`PUT ${caseAt()}/note`]).toEqual({ version: 4, ...note("Mine") }));
  });

  it("is saved although another part of the case was changed meanwhile", async () => {
    await openCases([INSIDE]);
    await edit("Mine");
    const versions: number[] = [];
    const fetchNow = globalThis.fetch;
    vi.stubGlobal("fetch", async (request: Request) => {
      if (request.method !== "PUT") return fetchNow(request);
      versions.push((await request.clone().json()).version);
      if (versions.length === 1) {
        setCases(desk, [of({}, { version: 7 })]);
        desk.answers[`PUT ${caseAt()}/note`] = { refusal: [409, "case-changed"] };
      } else {
        desk.answers[`PUT ${caseAt()}/note`] = { version: 8 };
      }
      return fetchNow(request);
    });
    await press("Save the note");
    await waitFor(() => expect(versions).toEqual([3, 7]));
    await waitFor(() => expect(button("Edit the note")).toBeVisible());
    vi.unstubAllGlobals();
  });

  it("that is being typed stays while the case is read again", async () => {
    await openCases([INSIDE]);
    await edit("Mine");
    await changed([of({}, { version: 4, followUps: [] })]);
    expect(screen.getByText("None yet.")).toBeVisible();
    expect(screen.getByLabelText("Title")).toHaveValue("Mine");
    expect(screen.queryByText(/changed while you were writing/)).toBeNull();
    await changed([of({}, { version: 5, note: note("Theirs") })]);
    expect(screen.getByLabelText("Title")).toHaveValue("Mine");
    await press("Take theirs");
    expect(screen.queryByLabelText("Title")).toBeNull();
  });

  it("that is not saved is asked about before another case is opened", async () => {
    await openCases([INSIDE, OTHER]);
    await edit("Mine");
    await userEvent.click(queue().getByRole("link", { name: /Wants to talk/ }));
    expect(await screen.findByText("What you typed in this case is not saved.")).toBeVisible();
    await waitFor(() => expect(button("Stay here")).toHaveFocus());
    expect(window.location.hash).toBe(`#cases/${ID}`);
    await press("Stay here");
    expect(screen.getByLabelText("Title")).toHaveValue("Mine");
    await userEvent.click(queue().getByRole("link", { name: /Wants to talk/ }));
    await press("Leave without it");
    expect(await screen.findByRole("heading", { level: 2, name: "Wants to talk" })).toBeVisible();
    expect(window.location.hash).toBe(`#cases/${OTHER_ID}`);
  });

  it("that is being typed is there again after another place was looked at", async () => {
    await openCases([INSIDE]);
    await edit("Mine");
    await userEvent.click(screen.getByRole("link", { name: "Desk" }));
    await screen.findByRole("heading", { name: /Live calls/ });
    await userEvent.click(screen.getByRole("link", { name: "Cases" }));
    expect(await screen.findByLabelText("Title")).toHaveValue("Mine");
    expect(screen.queryByText("What you typed in this case is not saved.")).toBeNull();
  });

  it("that is not saved is asked about before signing out and before the page goes", async () => {
    await openCases([INSIDE]);
    const leave = () => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(leave()).toBe(false);
    await edit("Mine");
    expect(leave()).toBe(true);
    await press("Sign out");
    expect(desk.asked).not.toContain("POST /sign-out");
    await press("Stay");
    expect(screen.getByLabelText("Title")).toHaveValue("Mine");
  });
});

describe("closing", () => {
  const DONE = { actions: ["called-back"], words: "", by: JOAN, at: "2026-11-24T19:00:00Z" };

  it("needs an action taken", async () => {
    await openCases([INSIDE]);
    await press("Close the case");
    expect(screen.getByRole("heading", { name: "Say first what was done" })).toHaveFocus();
    await press("Go to action taken");
    expect(screen.getByRole("heading", { name: "Action taken" })).toHaveFocus();
  });

  it("takes the action taken of the agency's list, and words", async () => {
    await openCases([INSIDE]);
    desk.answers[`PUT ${caseAt()}/action-taken`] = { version: 4 };
    await userEvent.click(screen.getByRole("checkbox", { name: "Made a safety plan" }));
    await userEvent.click(screen.getByRole("checkbox", { name: "Called back" }));
    fill(screen.getByLabelText("In words"), "She has a bag packed.");
    setCases(desk, [of({}, { version: 4, actionTaken: { ...DONE, words: "She has a bag packed." } })]);
    await press("Save the action taken");
    await waitFor(() =>
      expect(desk.sent[`PUT ${caseAt()}/action-taken`]).toEqual({
        version: 3,
        actions: ["called-back", "safety-plan"],
        words: "She has a bag packed.",
      }),
    );
  });

  it("takes an outcome, and says when the case is deleted", async () => {
    const deletedIfClosed = { helped: "2026-12-09T02:00:00Z" };
    await openCases([of({}, { actionTaken: DONE, deletedIfClosed })]);
    desk.answers[`POST ${caseAt()}/close`] = null;
    await press("Close the case");
    expect(screen.getByText(/One follow-up is still open/)).toBeVisible();
    await press("Close it");
    expect(screen.getByText("Choose how it ended.")).toBeVisible();
    await userEvent.click(screen.getByRole("radio", { name: /^Helped/ }));
    expect(screen.getByText(/will be deleted on 9\/12\/26/)).toBeVisible();
    setCases(desk, [of({ state: "closed", outcome: "helped" }, { version: 4, actionTaken: DONE })]);
    await press("Close it");
    await waitFor(() =>
      expect(desk.sent[`POST ${caseAt()}/close`]).toEqual({ version: 3, outcome: "helped" }),
    );
    expect(await screen.findByText("Closed: helped")).toBeVisible();
  });

  it("does not leave behind what was typed and not saved", async () => {
    await openCases([of({}, { actionTaken: DONE })]);
    fill(screen.getByLabelText("In words"), "More");
    await press("Close the case");
    await userEvent.click(screen.getByRole("radio", { name: /^Referred/ }));
    await press("Close it");
    expect(screen.getByText(/typed and not saved/)).toBeVisible();
    expect(desk.asked).not.toContain(`POST ${caseAt()}/close`);
  });

  it("is undone with a reason", async () => {
    await openCases([of({ state: "closed", outcome: "helped" })]);
    desk.answers[`POST ${caseAt()}/reopen`] = null;
    await press("Open it again");
    fill(screen.getByLabelText("Why is it opened again?"), "She rang again");
    await userEvent.click(screen.getAllByRole("button", { name: "Open it again" }).at(-1) as HTMLElement);
    await waitFor(() => expect(desk.sent[`POST ${caseAt()}/reopen`]).toEqual({ why: "She rang again" }));
  });

  it("does not end what is held, which needs a reason too", async () => {
    await openCases([INSIDE]);
    desk.answers[`PUT ${caseAt()}/hold`] = null;
    desk.answers[`DELETE ${caseAt()}/hold`] = null;
    await press("Hold");
    fill(screen.getByLabelText("Why must it be kept longer?"), "A court asked");
    const hold = { by: JOAN, at: "2026-11-24T19:00:00Z", reason: "A court asked" };
    setCases(desk, [of({ held: true, deletedAt: null }, { hold })]);
    await press("Hold it");
    expect(await screen.findByText(/Held by Joan Ong/)).toHaveTextContent("A court asked");
    expect(desk.sent[`PUT ${caseAt()}/hold`]).toEqual({ reason: "A court asked" });
    await press("Let it go");
    await press("Let it go");
    await waitFor(() => expect(desk.asked).toContain(`DELETE ${caseAt()}/hold`));
  });
});

describe("follow-ups", () => {
  it("are added with a day and an owner, in Singapore's time", async () => {
    await openCases([INSIDE]);
    desk.answers[`POST ${caseAt()}/follow-ups`] = FOLLOW_UP;
    await press("Plan a call-back");
    const form = within(screen.getByRole("form", { name: "A call-back" }));
    const when = form.getByLabelText("By when");
    fill(when, "2026-11-25T14:00");
    await userEvent.selectOptions(form.getByLabelText("Owner"), "Joan Ong");
    await userEvent.click(form.getByRole("checkbox", { name: /safe to be rung back/ }));
    await press("Plan it");
    await waitFor(() =>
      expect(desk.sent[`POST ${caseAt()}/follow-ups`]).toEqual({
        kind: "call-back",
        words: "Ring the caller back",
        dueAt: "2026-11-25T06:00:00.000Z",
        ownerId: JOAN.id,
      }),
    );
  });

  it("are done, and given to somebody else", async () => {
    await openCases([INSIDE]);
    const at = `PATCH ${caseAt()}/follow-ups/${FOLLOW_UP.id}`;
    desk.answers[at] = FOLLOW_UP;
    await press(/^Done:/);
    await waitFor(() => expect(desk.sent[at]).toEqual({ done: true }));
    await press(/^Change:/);
    await userEvent.selectOptions(await screen.findByLabelText("Owner"), "Nobody yet");
    await press("Save");
    await waitFor(() =>
      expect(desk.sent[at]).toMatchObject({ ownerId: null, dueAt: "2026-11-25T06:00:00.000Z" }),
    );
  });
});

describe("the caller", () => {
  it("has earlier cases under the number they gave, which is kept when it is given", async () => {
    const earlier = [{ ...OTHER.case, state: "closed" as const, outcome: "helped" as const }];
    await openCases([of({}, { earlier })]);
    const list = within(screen.getByRole("list", { name: "Other cases under this number" }));
    expect(list.getByRole("link")).toHaveAttribute("href", `#cases/${OTHER_ID}`);
    desk.answers[`PUT ${caseAt()}/caller-number`] = { version: 4 };
    await press("Add a number");
    fill(screen.getByLabelText("Number that the caller gave"), "9123 4567");
    await press("Save the number");
    await waitFor(() =>
      expect(desk.sent[`PUT ${caseAt()}/caller-number`]).toEqual({ version: 3, callerNumber: "9123 4567" }),
    );
  });
});

describe("a call taken elsewhere", () => {
  it("is entered by hand, and opened", async () => {
    await openCases([INSIDE], null);
    desk.answers["POST /cases"] = { callId: ID };
    await userEvent.click(screen.getByRole("link", { name: "Enter a call taken elsewhere" }));
    const heading = await screen.findByRole("heading", { name: "Enter a call taken elsewhere" });
    await waitFor(() => expect(heading).toHaveFocus());
    fill(screen.getByLabelText("It began"), "2026-11-24T23:30");
    fill(screen.getByLabelText("Minutes"), "12");
    fill(screen.getByLabelText("Title"), "Afraid of her son");
    fill(screen.getByLabelText("Summary"), "He drinks.");
    await userEvent.selectOptions(screen.getByLabelText("Agency"), "PAVE");
    await press("Enter the call");
    expect(await screen.findByRole("heading", { level: 2, name: CASE.title })).toBeVisible();
    expect(window.location.hash).toBe(`#cases/${ID}`);
    expect(desk.sent["POST /cases"]).toMatchObject({
      startedAt: "2026-11-24T15:30:00.000Z",
      durationMinutes: 12,
      summaryTitle: "Afraid of her son",
      summary: "He drinks.",
      structuredData: { transfer_to: "PAVE", urgent: false },
    });
  });

  it("is asked about before it is left half typed", async () => {
    await openCases([INSIDE], "new").catch(() => {});
    fill(await screen.findByLabelText("Title"), "Half");
    await userEvent.click(screen.getByRole("link", { name: "Cancel" }));
    expect(await screen.findByText("What you typed in this case is not saved.")).toBeVisible();
    expect(screen.getByLabelText("Title")).toHaveValue("Half");
  });
});

describe("a call that rings while a case is read", () => {
  const RINGING = { callId: "ringing", agency: "PAVE", since: CASE.since, everyone: false };

  it("is seen there, and answering it leaves the case as it is", async () => {
    await openCases([INSIDE]);
    await desk.tell("ringing", RINGING);
    expect(screen.getByRole("region", { name: "A call is ringing for PAVE" })).toBeVisible();
    await press("Edit the note");
    fill(screen.getByLabelText("Title"), `${MACHINE_NOTE.summaryTitle} now`);
    await press(/^Accept/);
    await waitFor(() => expect(window.location.hash).toBe("#desk"));
    expect(screen.getByLabelText("Title")).not.toBeVisible();
    await userEvent.click(screen.getByRole("link", { name: "Cases" }));
    await waitFor(() => expect(screen.getByLabelText("Title")).toBeVisible());
    expect(screen.getByLabelText("Title")).toHaveValue(`${MACHINE_NOTE.summaryTitle} now`);
  });
});
