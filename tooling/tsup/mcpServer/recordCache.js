import { writeFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { compile, readProgram, run, seal } from "./codeCache.js";

/** `node recordCache.js <program> <cache>`: runs the program and, when it ends, keeps the code that V8 compiled. */
// Removed, since the program reads its own arguments there.
const [program = "", cache = ""] = process.argv.splice(2).map((path) => resolve(path));
const source = readProgram(program);
if (/[^\0-\x7f]/.test(source))
  throw new Error(`${program} is not ASCII. Write other characters as escapes, even in regular expressions.`);
// Only the name, since it is stored in the cache: a path would publish where the package was built.
const script = compile(source, basename(program));
process.once("exit", (code) => {
  if (code === 0) writeFileSync(cache, seal(source, script.createCachedData()));
});
run(script, program);
