import { fixtureServer } from "../fixture";
import { createLogger } from "../log";
import { runStdio } from "./run";

/** The program that stdio.test.ts starts. */
const log = createLogger("debug");
const server = fixtureServer({ words: [] }, log);
// biome-ignore lint/suspicious/noConsole: what a careless dependency would do, once the server runs.
queueMicrotask(() => console.log("careless"));
await runStdio(server, log);
