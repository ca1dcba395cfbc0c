/*
 * A coding agent that acts like Claude Code 2.1.331 towards its terminal and its hooks, and does what its prompt
 * scripts: a JSON array of steps. It runs hooks as https://code.claude.com/docs/en/hooks describes: side by side, with
 * the event on stdin; those that are not `async` are awaited, and the first answer, of the hook or of its own prompt,
 * wins.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {{ type: string, command: string, async?: boolean, timeout?: number }} Hook */

/** No model answers faster. So two events never begin at the same time. */
const MODEL_MS = 50;

/** The marks of a terminal around a paste. */
const PASTE_START = "\u001b[200~";
const PASTE_END = "\u001b[201~";

const record = process.env.SCRIPTED_CLAUDE_RECORD;
const args = process.argv.slice(2);
if (args.includes("--version")) {
  process.stdout.write(`${process.env.SCRIPTED_CLAUDE_VERSION ?? "2.1.331"} (Claude Code)\n`);
  process.exit(0);
}
const settingsFile = args[args.indexOf("--settings") + 1];
const settings = args.includes("--settings") ? JSON.parse(readFileSync(settingsFile ?? "", "utf8")) : {};
const serversFile = args.includes("--mcp-config") ? args[args.indexOf("--mcp-config") + 1] : undefined;
const script = args.includes("--") ? JSON.parse(args[args.indexOf("--") + 1] ?? "[]") : [];

/** @type {((key: string) => void) | undefined} */
let onKey;
/** Keys that no step has waited for yet. @type {string[]} */
const keys = [];
process.stdin.setRawMode?.(true);
process.stdin.setEncoding("utf8").on("data", (data) => {
  for (const key of String(data))
    if (onKey) onKey(key);
    else keys.push(key);
});
/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\r\n`);
const nextKey = () =>
  new Promise((resolve) => {
    const early = keys.shift();
    if (early !== undefined) return resolve(early);
    onKey = (key) => {
      onKey = undefined;
      resolve(key);
    };
  });

/** The newest prompt that was read. */
let newestPrompt = "";

/**
 * Reads a prompt until Return, which is a line break within a paste. Shows the prompt, and begins a turn with it. Each
 * prompt becomes a line of the file beside SCRIPTED_CLAUDE_RECORD that ends in `.prompts`.
 */
async function readPrompt() {
  process.stdout.write("\u001b[?2004h> ");
  let prompt = "";
  for (;;) {
    const key = await nextKey();
    if (key !== "\r") prompt += key;
    else if (prompt.lastIndexOf(PASTE_START) > prompt.lastIndexOf(PASTE_END)) prompt += "\n";
    else break;
  }
  const pastes = prompt.split(PASTE_START).length - 1;
  const text = prompt.replaceAll(PASTE_START, "").replaceAll(PASTE_END, "");
  newestPrompt = text;
  if (record) appendFileSync(`${record}.prompts`, `${JSON.stringify(text)}\n`);
  print(`${text.replaceAll("\n", "\r\n")}\r\n(pastes: ${pastes})`);
  await event("UserPromptSubmit", { prompt: text });
}

/**
 * Runs the hooks of an event.
 * @param {string} name
 * @param {object} input
 */
function runHooks(name, input) {
  /** @type {Hook[]} */
  const hooks = (settings.hooks?.[name] ?? []).flatMap(
    (/** @type {{ hooks: Hook[] }} */ group) => group.hooks,
  );
  const line = JSON.stringify({
    session_id: "s",
    transcript_path: "/nowhere",
    cwd: process.cwd(),
    hook_event_name: name,
    ...input,
  });
  return hooks.map((hook) => {
    // The output of a request's hook goes to a file, so that it is kept if this program ends before it has read it.
    const file = record && name === "PermissionRequest" ? `${record}.${randomUUID()}` : undefined;
    const stdout = file === undefined ? "pipe" : openSync(file, "w");
    const child = spawn("/bin/sh", ["-c", hook.command], { stdio: ["pipe", stdout, "ignore"] });
    if (typeof stdout === "number") closeSync(stdout);
    child.stdin?.on("error", () => {});
    child.stdin?.end(line);
    let output = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    /** @type {Promise<string>} */
    const done = new Promise((resolve) => {
      child.on("close", () => resolve(file === undefined ? output : readFileSync(file, "utf8")));
    });
    return { child, done, isAsync: hook.async === true };
  });
}

/**
 * Runs the hooks of an event, and waits for those that are not asynchronous.
 * @param {string} name
 * @param {object} input
 */
async function event(name, input) {
  await Promise.all(runHooks(name, input).flatMap(({ done, isAsync }) => (isAsync ? [] : [done])));
  await sleep(MODEL_MS);
}

/**
 * Asks for permission: by its hooks and in its terminal. Each decision becomes a line of the file
 * SCRIPTED_CLAUDE_RECORD, and the output of each hook a file beside it.
 * @param {{ tool_name: string, tool_input: object, permission_suggestions?: object[], agent_id?: string }} tool
 */
async function ask(tool) {
  await event("PreToolUse", { ...tool, tool_use_id: "t" });
  print(`Allow ${tool.tool_name}?\r\n❯ 1. Yes\r\n  2. No`);
  const hooks = runHooks("PermissionRequest", tool);
  const byHook = hooks.map(async ({ done }) => {
    const text = (await done).trim();
    // A hook that ends without output decides nothing.
    return text === "" ? new Promise(() => {}) : JSON.parse(text).hookSpecificOutput.decision;
  });
  const byKey = nextKey().then((key) => ({ behavior: key === "1" ? "allow" : "deny", key }));
  const decision = await Promise.race([byKey, ...byHook]);
  onKey = undefined;
  for (const { child } of hooks) child.kill();
  if (record) appendFileSync(record, `${JSON.stringify(decision)}\n`);
  print(`\u001b[2J\u001b[Hdecision ${JSON.stringify(decision)}`);
  if (decision.behavior === "allow") await event("PostToolUse", { ...tool, tool_response: { ok: true } });
}

/**
 * Calls a function of a module, with the newest prompt and the tools of the MCP server `grove` of its configuration.
 * @param {[path: string, name: string]} work
 */
async function work([path, name]) {
  const module = await import(path);
  const { mcpServers } = JSON.parse(readFileSync(serversFile ?? "", "utf8"));
  // Loaded late, because few scripts need it.
  const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
  const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
  const server = new Client({ name: "claude", version: "1" });
  await server.connect(new StdioClientTransport(mcpServers.grove));
  /** @param {string} tool @param {Record<string, unknown>} input */
  const callTool = async (tool, input) => {
    const used = { tool_name: `mcp__grove__${tool}`, tool_input: input };
    await event("PreToolUse", { ...used, tool_use_id: "t" });
    const answer = await server.callTool({ name: tool, arguments: input });
    await event("PostToolUse", { ...used, tool_response: answer });
    if (answer.isError) throw new Error(`${tool}: ${JSON.stringify(answer.content)}`);
    return answer.structuredContent;
  };
  try {
    await module[name]({ prompt: newestPrompt, callTool });
  } finally {
    await server.close();
  }
}

/** @type {Record<string, (value: any) => Promise<unknown> | void>} */
const steps = {
  /** An event with its input: `{"hook": ["Stop", {}]}`. */
  hook: ([name, input = {}]) => event(name, input),
  ask,
  /** Asks for one tool after another: the command is the round's number. */
  askRounds: async (rounds) => {
    for (let n = 1; n <= rounds; n++) await ask({ tool_name: "Bash", tool_input: { command: `${n}` } });
  },
  print: (text) => void print(text),
  /** Writes its arguments and environment into a file, for a caller that runs its hooks. */
  saveProcess: (path) => writeFileSync(path, JSON.stringify({ args, env: process.env })),
  sleep,
  key: nextKey,
  prompt: readPrompt,
  work,
  exit: (code) => process.exit(code),
  /** Kills itself after some milliseconds, while the next steps run. */
  killAfter: (ms) => void setTimeout(() => process.kill(process.pid, "SIGKILL"), ms),
};

await event("SessionStart", { source: "startup" });
if (script.length > 0) await event("UserPromptSubmit", { prompt: "scripted" });
for (const step of script) {
  const [name = "", value] = Object.entries(step)[0] ?? [];
  const run = steps[name];
  if (!run) throw new Error(`There is no step ${name}.`);
  await run(value);
}
print("> ");
// Stays at its prompt.
setInterval(() => {}, 60_000);
