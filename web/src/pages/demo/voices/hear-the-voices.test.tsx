/** Samples of the voices: one at a time, none before it is asked for, and no promise that one can choose. */
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { act, fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { HearTheVoices } from "./HearTheVoices.tsx";
import { VOICE_IDS } from "./script.ts";
import { VOICES } from "./voices.ts";

const MOST_BYTES = 50_000;
const onSound = vi.fn();
let began: string[] = [];

beforeEach(() => {
  began = [];
  onSound.mockClear();
  vi.spyOn(HTMLMediaElement.prototype, "play").mockImplementation(async function (this: HTMLMediaElement) {
    began.push(this.src);
  });
  vi.spyOn(HTMLMediaElement.prototype, "pause").mockImplementation(function (this: HTMLMediaElement) {
    fireEvent.pause(this);
  });
  vi.spyOn(HTMLMediaElement.prototype, "canPlayType").mockReturnValue("probably");
});

const audio = () => document.querySelector("audio") as HTMLAudioElement;
const open = async (answering: string | null = "af_heart") => {
  const shown = render(<HearTheVoices answering={answering} onSound={onSound} />);
  await userEvent.click(screen.getByText("Hear the voices"));
  return shown;
};
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

test("every voice has a sample, and each is small", () => {
  for (const id of VOICE_IDS) {
    const sound = path.join(import.meta.dirname, `${id}.webm`);
    expect(existsSync(sound), id).toBe(true);
    expect(statSync(sound).size, id).toBeLessThanOrEqual(MOST_BYTES);
    expect(VOICES[id].sound).toContain(id);
  }
});

test("it is folded away, and has fetched nothing", () => {
  render(<HearTheVoices answering={null} onSound={onSound} />);
  expect(screen.getByRole("group")).not.toHaveAttribute("open");
  expect(audio()).toHaveAttribute("preload", "none");
  expect(audio()).not.toHaveAttribute("src");
});

test("names the voices, marks the one that answers, and says who chooses", async () => {
  await open("bf_emma");
  const voices = screen.getAllByRole("listitem");
  expect(voices[0]).toHaveTextContent("Heart, a woman, American English");
  expect(voices.map((voice) => within(voice).queryByText("Answers now") !== null)).toEqual(
    VOICE_IDS.map((id) => id === "bf_emma"),
  );
  expect(screen.getByText(/Who runs Nightlight chooses the one that answers\.$/)).toBeVisible();
  expect(screen.queryByRole("radio")).toBeNull();
});

test("says so where the one that answers has no sample", async () => {
  await open("af_sarah");
  expect(screen.getByText(/The one that answers now has no sample here/)).toBeVisible();
});

test("claims nothing where the server has not told", async () => {
  await open(null);
  expect(screen.queryByText("Answers now")).toBeNull();
  expect(screen.queryByText(/no sample here/)).toBeNull();
});

test("plays one at a time, and stops at a second press", async () => {
  await open();
  await press("Play Heart");
  expect(began).toEqual([expect.stringContaining("af_heart")]);
  await press("Play Emma");
  expect(began[1]).toContain("bf_emma");
  expect(document.querySelectorAll("audio")).toHaveLength(1);
  expect(screen.getByRole("button", { name: "Play Heart" })).toBeVisible();
  await press("Stop Emma");
  expect(HTMLMediaElement.prototype.pause).toHaveBeenCalledOnce();
  expect(screen.getByRole("button", { name: "Play Emma" })).toHaveFocus();
});

test("can be played again when it has ended", async () => {
  await open();
  await press("Play Heart");
  fireEvent.ended(audio());
  expect(screen.getByRole("button", { name: "Play Heart" })).toBeVisible();
});

test("tells when it is heard, so that the microphone's level is not taken for a caller", async () => {
  await open();
  await press("Play Heart");
  fireEvent.playing(audio());
  expect(onSound).toHaveBeenLastCalledWith(true);
  await press("Stop Heart");
  expect(onSound).toHaveBeenLastCalledWith(false);
});

test("stops when it is folded, and when it goes", async () => {
  const shown = await open();
  await press("Play Heart");
  await userEvent.click(screen.getByText("Hear the voices"));
  await act(async () => fireEvent(screen.getByRole("group"), new Event("toggle")));
  expect(HTMLMediaElement.prototype.pause).toHaveBeenCalled();
  vi.mocked(HTMLMediaElement.prototype.pause).mockClear();
  vi.spyOn(HTMLMediaElement.prototype, "paused", "get").mockReturnValue(false);
  shown.unmount();
  expect(HTMLMediaElement.prototype.pause).toHaveBeenCalled();
});

test("a sample that cannot be fetched is told, and can be tried again", async () => {
  await open();
  vi.mocked(HTMLMediaElement.prototype.play).mockRejectedValueOnce(
    new DOMException("no source", "NotSupportedError"),
  );
  await press("Play Joe");
  expect(screen.getByRole("status")).toHaveTextContent("Joe could not be fetched. Please try again.");
  await press("Play Joe");
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});

test("a browser that cannot play them says so", async () => {
  vi.mocked(HTMLMediaElement.prototype.canPlayType).mockReturnValue("");
  await open();
  await press("Play Heart");
  fireEvent.error(audio());
  expect(screen.getByRole("status")).toHaveTextContent("This browser cannot play the samples.");
  expect(screen.getByRole("button", { name: "Play Heart" })).toBeVisible();
});

test("one pressed before another began is no failure of that other", async () => {
  await open();
  vi.mocked(HTMLMediaElement.prototype.play).mockRejectedValueOnce(new DOMException("", "AbortError"));
  await press("Play Heart");
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
});
