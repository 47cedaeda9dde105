import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { suppressNoise } from "./microphone.ts";

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
