import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";
import type { Plugin } from "vite";

const COMPRESSIBLE = /\.(js|css|svg|json)$/;
/** Smaller files fit into one packet uncompressed. */
const WORTH_BYTES = 1024;

/** Writes `.br` and `.gz` copies of the build's text files, except the HTML page, which the API fills in. */
export const precompress = (): Plugin => ({
  name: "precompress",
  apply: "build",
  async writeBundle({ dir = "dist" }) {
    const files = await readdir(dir, { recursive: true });
    await Promise.all(
      files.filter((file) => COMPRESSIBLE.test(file)).map((file) => compress(join(dir, file))),
    );
  },
});

async function compress(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < WORTH_BYTES) return;
  const params = { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY };
  await Promise.all([
    writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params })),
    writeFile(`${path}.gz`, await promisify(gzip)(content, { level: zlib.Z_BEST_COMPRESSION })),
  ]);
}
