/**
 * Compresses what was built, once and as small as it gets, so that the server need not do it in a hurry
 * for every visitor: `.br` and `.gz` beside each file of text.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const TEXT = /\.(?:js|css|svg|html|webmanifest)$/;
/** Below this the headers weigh more than what is saved. */
const WORTH_IT_FROM_BYTES = 1024;

export async function precompress(directory: string): Promise<void> {
  const entries = await readdir(directory, { recursive: true });
  for (const file of entries.filter((entry) => TEXT.test(entry))) {
    const at = path.join(directory, file);
    const content = await readFile(at);
    if (content.length < WORTH_IT_FROM_BYTES) continue;
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
      promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
    ]);
    await Promise.all([writeFile(`${at}.br`, br), writeFile(`${at}.gz`, gz)]);
  }
}
