#!/usr/bin/env node
import { readFileSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { debuglog } from "node:util";
import { compile, readProgram, run, unseal } from "./codeCache.js";

/**
 * What `dist/main.js` of an MCP server is: it runs `program.js` beside it from the code cache that the build made.
 * Where that is not of this program and this Node, it runs it plainly; then Node 22 and later keep a cache of their own.
 * `NODE_DEBUG=code-cache` says which it was.
 */
const program = join(__dirname, "program.js");
const log = debuglog("code-cache");
const source = readProgram(program);
const data = readCache();
log(data ? "used" : "not used");
if (data) run(compile(source, program, data), program);
else {
  // A directory of the user's own: what others can write to is not to be run. Unknown to Node 20 and its types.
  const { enableCompileCache } = /** @type {{ enableCompileCache?(directory: string): unknown }} */ (module);
  enableCompileCache?.(join(homedir(), ".cache", "grove"));
  module.createRequire(__filename)(program);
}

function readCache() {
  try {
    return unseal(source, readFileSync(join(__dirname, "program.cache")));
  } catch {
    return undefined;
  }
}
