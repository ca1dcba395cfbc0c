#!/usr/bin/env node
import { readFileSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { debuglog } from "node:util";
import { compile, readProgram, run, unseal } from "./codeCache.js";

/**
 * The `dist/main.js` of an MCP server. It runs `program.js` beside it with the code cache that the build made. If the
 * cache is of another program or Node, it runs the program without it; Node 22 and later then keep a cache of their
 * own. `NODE_DEBUG=code-cache` reports whether the cache was used.
 */
const program = join(__dirname, "program.js");
const log = debuglog("code-cache");
const source = readProgram(program);
const data = readCache();
/** How long after the start the compiled code is kept: late enough not to delay the first answers. */
const FLUSH_MS = 1_000;
log(data ? "used" : "not used");
if (data) run(compile(source, program, data), program);
else {
  // In the user's own directory, since code that others can write must not run. Node 20 and its types do not have it.
  const { enableCompileCache, flushCompileCache } =
    /** @type {{ enableCompileCache?(directory: string): unknown, flushCompileCache?(): void }} */ (module);
  enableCompileCache?.(join(homedir(), ".cache", "grove"));
  module.createRequire(__filename)(program);
  // Node writes the cache at its exit, and many clients kill their servers.
  if (flushCompileCache) setTimeout(flushCompileCache, FLUSH_MS).unref();
}

function readCache() {
  try {
    return unseal(source, readFileSync(join(__dirname, "program.cache")));
  } catch {
    return undefined;
  }
}
