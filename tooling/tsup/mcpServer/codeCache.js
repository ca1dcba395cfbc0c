import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { constants, Script } from "node:vm";
import { crc32 } from "node:zlib";

/**
 * V8's code cache of a program: its functions as one run at build time compiled them. An agent's client starts an MCP
 * server with every session, and without the cache, V8 spends most of a start on compiling the program.
 *
 * V8 itself rejects a cache of another V8 version or of other flags. But it accepts the cache of a changed program of
 * the same length, and crashes on a cache with a wrong byte. A cache file therefore begins with a line that identifies
 * its program and Node, with a checksum. A cryptographic hash would take longer and not help: anyone who can write the
 * cache can also write the program.
 */

/** The source of a program, which is ASCII. Reading it as UTF-8 would take longer. @param {string} path */
export const readProgram = (path) => readFileSync(path, "latin1");

/** @param {string} source @param {string} filename @param {Buffer} [cachedData] */
export const compile = (source, filename, cachedData) =>
  new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename,
    cachedData,
    // For modules outside the program that it imports when it needs them.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });

/** Runs a compiled program as Node runs a CommonJS module. @param {Script} script @param {string} filename */
export const run = (script, filename) =>
  script.runInThisContext()({}, createRequire(filename), { exports: {} }, filename, dirname(filename));

/** The cache file of a program. @param {string} source @param {Buffer} data */
export const seal = (source, data) => Buffer.concat([Buffer.from(`${name(source, data)}\n`), data]);

/**
 * Reverses {@link seal}; undefined if the file is damaged, or of another program or Node.
 * @param {string} source
 * @param {Buffer} file
 */
export function unseal(source, file) {
  const end = file.indexOf("\n");
  const data = file.subarray(end + 1);
  return file.toString("latin1", 0, end) === name(source, data) ? data : undefined;
}

/** @param {string} source @param {Buffer} data */
function name(source, data) {
  return [process.version, process.platform, process.arch, crc32(data, crc32(source))].join(" ");
}
