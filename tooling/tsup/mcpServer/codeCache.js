import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { constants, Script } from "node:vm";
import { crc32 } from "node:zlib";

/**
 * V8's code cache of a program: its functions as they were compiled by one run of it, at build time. An agent's client
 * starts an MCP server with every session, and without the cache most of a start is V8 reading the program.
 *
 * V8 itself refuses a cache of another version of its own or of other flags, but believes one of a changed program of
 * the same length, and crashes on one with a wrong byte. So a cache file begins with a line that names what it is of, with
 * a checksum: a cryptographic hash would take longer, and does not help, since who can write the one can write the other.
 */

/** The source of a program, which is ASCII: as UTF-8 it takes longer to read. @param {string} path */
export const readProgram = (path) => readFileSync(path, "latin1");

/** @param {string} source @param {string} filename @param {Buffer} [cachedData] */
export const compile = (source, filename, cachedData) =>
  new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename,
    cachedData,
    // For what stays outside the program and is imported when it is needed.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });

/** Runs a compiled program as Node runs a CommonJS module. @param {Script} script @param {string} filename */
export const run = (script, filename) =>
  script.runInThisContext()({}, createRequire(filename), { exports: {} }, filename, dirname(filename));

/** The cache file of a program. @param {string} source @param {Buffer} data */
export const seal = (source, data) => Buffer.concat([Buffer.from(`${name(source, data)}\n`), data]);

/** What {@link seal} was given; undefined for a file of another program or Node, or one that is damaged. @param {string} source @param {Buffer} file */
export function unseal(source, file) {
  const end = file.indexOf("\n");
  const data = file.subarray(end + 1);
  return file.toString("latin1", 0, end) === name(source, data) ? data : undefined;
}

/** @param {string} source @param {Buffer} data */
function name(source, data) {
  return [process.version, process.platform, process.arch, crc32(data, crc32(source))].join(" ");
}
