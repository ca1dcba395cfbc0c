import { mkdirSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
// PGlite exports no manifest.
import { version } from "../../../node_modules/@electric-sql/pglite/package.json";

/** The name of this PGlite version's template. Templates of other versions are ignored. */
export const templateName = `pgdata-${version}.tar.br`;

/** Reads a template: a tar of a new database with all migrations, as `dumpDataDir` returns it. */
export const readTemplate = async (path: string): Promise<Buffer> =>
  promisify(brotliDecompress)(await readFile(path));

/** The format of a tar entry: a header of one block, then the content, padded to whole blocks. */
const BLOCK = 512;
const SIZE = { from: 124, to: 136 };
const KIND = 156;
const DIRECTORY = "5".charCodeAt(0);

/**
 * Writes the files of a template into a directory. PGlite itself can load a tar, too, but only by opening the database,
 * which takes twice as long.
 */
export function unpackTemplate(tar: Buffer, directory: string): void {
  const text = (from: number, to: number) => tar.toString("latin1", from, to).replace(/\0.*$/s, "");
  const madeDirectories = new Set<string>();
  const makeDirectory = (path: string) => {
    if (!madeDirectories.has(path)) mkdirSync(path, { recursive: true });
    madeDirectories.add(path);
  };
  // Two empty blocks end the tar.
  for (let at = 0; at < tar.length && tar[at] !== 0; ) {
    const path = join(directory, text(at, at + 100));
    const size = Number.parseInt(text(at + SIZE.from, at + SIZE.to), 8);
    const content = at + BLOCK;
    if (tar[at + KIND] === DIRECTORY) makeDirectory(path);
    else {
      makeDirectory(dirname(path));
      writeFileSync(path, tar.subarray(content, content + size));
    }
    at = content + Math.ceil(size / BLOCK) * BLOCK;
  }
}
