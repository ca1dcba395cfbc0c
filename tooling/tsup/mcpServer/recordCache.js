import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { compile, readProgram, run, seal } from "./codeCache.js";

/** `node recordCache.js <program> <cache>`: runs the program and, when it ends, keeps what V8 compiled of it by then. */
// Taken off, since the program reads its own arguments there.
const [program = "", cache = ""] = process.argv.splice(2).map((path) => resolve(path));
const source = readProgram(program);
if (/[^\0-\x7f]/.test(source))
  throw new Error(`${program} is not ASCII: write what is not as an escape (regular expressions, too).`);
// The name is in the cache: with the path, a published package would say where it was built.
const script = compile(source, basename(program));
process.once("exit", (code) => {
  if (code === 0) writeFileSync(cache, seal(source, script.createCachedData()));
});
run(script, program);
