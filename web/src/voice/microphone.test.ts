/** The caller's microphone: noise suppression, and the one that was chosen. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { askForChosen, listMicrophones, suppressNoise } from "./microphone.ts";

const track = (state: "live" | "ended", applied: Promise<void>) =>
  ({
    readyState: state,
    enabled: false,
    applyConstraints: vi.fn(() => applied),
  }) as unknown as MediaStreamTrack;

describe("noise suppression", () => {
  const stream = {} as MediaStream;
  beforeEach(() => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is asked for", async () => {
    const microphone = track("live", Promise.resolve());
    expect(await suppressNoise(stream, microphone)).toBe(stream);
    expect(microphone.applyConstraints).toHaveBeenCalledWith(
      expect.objectContaining({ noiseSuppression: true }),
    );
  });

  it("is done without when it fails, with the microphone turned on again", async () => {
    const microphone = track("live", Promise.reject(new Error("no such processor")));
    expect(await suppressNoise(stream, microphone)).toBe(stream);
    expect(microphone.enabled).toBe(true);
  });

  it("opens the microphone anew, plainly, when its failure took the track", async () => {
    const anew = {} as MediaStream;
    const getUserMedia = vi.fn(async () => anew);
    vi.stubGlobal("navigator", { mediaDevices: { getUserMedia } });
    expect(await suppressNoise(stream, track("ended", Promise.reject(new Error("gone"))))).toBe(anew);
    expect(getUserMedia).toHaveBeenCalledWith({
      audio: expect.objectContaining({ noiseSuppression: false }),
    });
  });
});

describe("the chosen microphone", () => {
  const refusing = (name: string) => () => Promise.reject(new DOMException("", name));
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("is demanded, and done without when it is not plugged in", async () => {
    const other = {} as MediaStream;
    const getUserMedia = vi
      .fn(async (_: MediaStreamConstraints) => other)
      .mockImplementationOnce(refusing("OverconstrainedError"));
    vi.stubGlobal("navigator", { mediaDevices: { getUserMedia } });
    expect(await askForChosen("headset")).toBe(other);
    expect(getUserMedia.mock.calls.map(([{ audio }]) => (audio as MediaTrackConstraints).deviceId)).toEqual([
      { exact: "headset" },
      undefined,
    ]);
  });

  it("is not replaced by another when the caller refuses", async () => {
    const getUserMedia = vi.fn(refusing("NotAllowedError"));
    vi.stubGlobal("navigator", { mediaDevices: { getUserMedia } });
    await expect(askForChosen("headset")).rejects.toMatchObject({ trouble: "microphone-refused" });
    expect(getUserMedia).toHaveBeenCalledOnce();
  });

  it("is one of those that can be told apart", async () => {
    const devices = [
      { kind: "audioinput", deviceId: "a", label: "Headset" },
      { kind: "videoinput", deviceId: "b", label: "Camera" },
      { kind: "audioinput", deviceId: "", label: "" },
      { kind: "audioinput", deviceId: "c", label: "" },
    ];
    vi.stubGlobal("navigator", { mediaDevices: { enumerateDevices: async () => devices } });
    expect(await listMicrophones()).toEqual([
      { deviceId: "a", label: "Headset" },
      { deviceId: "c", label: "Microphone 2" },
    ]);
    vi.stubGlobal("navigator", {});
    expect(await listMicrophones()).toEqual([]);
  });
});
