/** A sound as a small file that browsers play: Opus in WebM, by the browser's own encoder, so that no tool is needed. */
import { type Browser, chromium, type Page } from "@playwright/test";
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, Output, WebMOutputFormat } from "mediabunny";
import { CHROMIUM } from "../playwright.config.ts";
import { toWire } from "../src/voice/pcm/samples.ts";

/** Opus counts in these, whatever it was given. */
const OPUS_RATE = 48_000;

interface OpusSound {
  /** The `OpusHead` that the encoder gives. */
  head: Uint8Array;
  /** In order. */
  packets: readonly { atMs: number; lastsMs: number; bytes: Uint8Array }[];
}

/** One browser for any number of sounds; to be closed. */
export class OpusEncoder {
  private readonly browser: Browser;
  private readonly page: Page;

  private constructor(browser: Browser, page: Page) {
    this.browser = browser;
    this.page = page;
  }

  static async open(): Promise<OpusEncoder> {
    const browser = await chromium.launch(CHROMIUM);
    const page = await browser.newPage();
    // Encoders are there on secure pages only; nothing is fetched.
    await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await page.goto("http://localhost/");
    return new OpusEncoder(browser, page);
  }

  /** One channel, `rate` samples a second. */
  async file(sound: Float32Array, rate: number, bitsASecond: number): Promise<Buffer> {
    return webm(await encoded(this.page, sound, rate, bitsASecond));
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

async function webm({ head, packets }: OpusSound): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new EncodedAudioPacketSource("opus");
  output.addAudioTrack(source);
  await output.start();
  const decoderConfig = { codec: "opus", numberOfChannels: 1, sampleRate: OPUS_RATE, description: head };
  for (const { atMs, lastsMs, bytes } of packets)
    await source.add(new EncodedPacket(bytes, "key", atMs / 1000, lastsMs / 1000), { decoderConfig });
  await output.finalize();
  if (!target.buffer) throw new Error("the sound could not be written");
  return Buffer.from(target.buffer);
}

async function encoded(page: Page, sound: Float32Array, rate: number, bitrate: number): Promise<OpusSound> {
  const given = { data: Buffer.from(toWire(sound)).toString("base64"), rate, bitrate };
  const made = await page.evaluate(async ({ data, rate, bitrate }) => {
    const base64 = (bytes: Uint8Array) => {
      let text = "";
      for (const byte of bytes) text += String.fromCharCode(byte);
      return btoa(text);
    };
    const pcm = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const packets: { atMs: number; lastsMs: number; bytes: string }[] = [];
    let head = "";
    const encoder = new AudioEncoder({
      output: (chunk, metadata) => {
        const bytes = new Uint8Array(chunk.byteLength);
        chunk.copyTo(bytes);
        packets.push({
          atMs: chunk.timestamp / 1000,
          lastsMs: (chunk.duration ?? 20_000) / 1000,
          bytes: base64(bytes),
        });
        const description = metadata?.decoderConfig?.description;
        if (description) head = base64(new Uint8Array(description as ArrayBuffer));
      },
      error: (error) => {
        throw error;
      },
    });
    encoder.configure({ codec: "opus", sampleRate: rate, numberOfChannels: 1, bitrate });
    encoder.encode(
      new AudioData({
        format: "s16",
        sampleRate: rate,
        numberOfFrames: pcm.length / 2,
        numberOfChannels: 1,
        timestamp: 0,
        data: pcm,
      }),
    );
    await encoder.flush();
    return { head, packets };
  }, given);
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, "base64"));
  return {
    head: bytes(made.head),
    packets: made.packets.map((packet) => ({ ...packet, bytes: bytes(packet.bytes) })),
  };
}
