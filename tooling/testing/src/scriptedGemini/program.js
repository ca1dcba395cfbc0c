/*
 * A coding agent that writes the record of its session like Gemini CLI 0.61, and does what its prompt scripts: a JSON
 * array of steps. A message is written when its text is complete, and again, with the same id, when its tool call has
 * run.
 */
import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const args = process.argv.slice(2);
const home = process.env.GEMINI_CLI_HOME ?? homedir();
const directory = join(home, ".gemini", "tmp", "project", "chats");
const now = new Date().toISOString();
const sessionId = randomUUID();
const file = join(
  directory,
  `session-${now.slice(0, 16).replaceAll(":", "-")}-${sessionId.slice(0, 8)}.jsonl`,
);

/** @param {object} line */
const record = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);
/** @param {object} fields */
function message(fields) {
  const written = { id: randomUUID(), timestamp: new Date().toISOString(), ...fields };
  record(written);
  record({ $set: { lastUpdated: written.timestamp } });
  return written;
}

/** Keys that no step has waited for yet. */
let keys = 0;
/** @type {(() => void) | undefined} */
let onKey;
process.stdin.setRawMode?.(true);
process.stdin.on("data", () => {
  keys++;
  onKey?.();
});
/** Waits for a key: at its prompt, or at the question whether a tool may run. */
const key = async () => {
  if (keys === 0)
    await new Promise((resolve) => {
      onKey = () => resolve(undefined);
    });
  keys--;
};

/** @type {Record<string, (value: any) => Promise<void> | void>} */
const steps = {
  /** Ends the turn with a text, and waits for the next prompt. */
  say: (text) => {
    message({ type: "gemini", content: text, thoughts: [], tokens: null, model: "m" });
    process.stdout.write(`${text}\r\n`);
  },
  /** Introduces a tool call, and runs it until a key is typed. Its spinner keeps the terminal from being silent. */
  tool: async (name) => {
    const spinner = setInterval(() => process.stdout.write("."), 100);
    const said = message({
      type: "gemini",
      content: `I run ${name}.`,
      thoughts: [],
      tokens: null,
      model: "m",
    });
    await key();
    clearInterval(spinner);
    message({ ...said, toolCalls: [{ id: "1", name, args: {}, status: "success" }] });
  },
  /** Introduces a tool call, and asks whether it may run. A key answers. */
  ask: async (name) => {
    const said = message({
      type: "gemini",
      content: `I want to run ${name}.`,
      thoughts: [],
      tokens: null,
      model: "m",
    });
    process.stdout.write(`Allow execution of ${name}?\r\n\r\n● 1. Allow once\r\n  2. No\r\n`);
    await key();
    process.stdout.write("\x1b[2J\x1b[H");
    message({ ...said, toolCalls: [{ id: "1", name, args: {}, status: "success" }] });
  },
  key,
};

mkdirSync(directory, { recursive: true });
const projectHash = createHash("sha256").update(process.cwd()).digest("hex");
record({ sessionId, projectHash, startTime: now, lastUpdated: now, kind: "main" });
message({ type: "user", content: [{ text: "scripted" }] });
for (const step of JSON.parse(args.at(-1) ?? "[]")) {
  const [name = "", value] = Object.entries(step)[0] ?? [];
  await steps[name]?.(value);
}
process.stdout.write("> ");
// Stays at its prompt.
setInterval(() => {}, 60_000);
