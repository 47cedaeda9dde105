/**
 * Whether two pictures show the same, in the eyes of a reader: the mean colour of each small square is
 * compared, which letters drawn half a pixel aside hardly change, and another word does.
 */
import type { Browser } from "@playwright/test";

/** Side of a square, in pixels. */
const SQUARE = 16;
/** A square's mean may differ by so much, of 255. */
const TOLERANCE = 12;

/** The share of squares that differ, from 0 to 1; 1 for pictures of different sizes. */
export async function difference(
  browser: Browser,
  type: string,
  kept: Buffer,
  taken: Buffer,
): Promise<number> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(
      async ({ pictures, square, tolerance }) => {
        const pixels = await Promise.all(
          pictures.map(async (address) => {
            const picture = new Image();
            picture.src = address;
            await picture.decode();
            const { naturalWidth: width, naturalHeight: height } = picture;
            const context = new OffscreenCanvas(width, height).getContext("2d");
            if (!context) throw new Error("the browser gives no canvas");
            context.drawImage(picture, 0, 0);
            return context.getImageData(0, 0, width, height);
          }),
        );
        const [one, other] = pixels;
        if (!one || !other || one.width !== other.width || one.height !== other.height) return 1;
        const columns = Math.ceil(one.width / square);
        const sums = new Float64Array(columns * Math.ceil(one.height / square) * 4);
        const sizes = new Float64Array(sums.length / 4);
        for (let y = 0; y < one.height; y++) {
          for (let x = 0; x < one.width; x++) {
            const place = Math.floor(y / square) * columns + Math.floor(x / square);
            const pixel = (y * one.width + x) * 4;
            sizes[place] = (sizes[place] ?? 0) + 1;
            for (let part = 0; part < 4; part++)
              sums[place * 4 + part] =
                (sums[place * 4 + part] ?? 0) +
                (one.data[pixel + part] ?? 0) -
                (other.data[pixel + part] ?? 0);
          }
        }
        const differing = sizes.filter((size, place) =>
          sums.subarray(place * 4, place * 4 + 4).some((sum) => Math.abs(sum / size) > tolerance),
        );
        return differing.length / sizes.length;
      },
      {
        pictures: [kept, taken].map((picture) => `data:image/${type};base64,${picture.toString("base64")}`),
        square: SQUARE,
        tolerance: TOLERANCE,
      },
    );
  } finally {
    await page.close();
  }
}
