/*
 * A coding agent that acts like Codex 0.169.0 towards its terminal, its hooks and its record, and does what its prompt
 * scripts: a JSON array of steps. A hook of its command line runs only if `hooks.state` trusts it. While the hook of a
 * permission request runs, the terminal shows no prompt (https://developers.openai.com/codex/hooks).
 */
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** @typedef {{ event: string, command: string, timeout: number, key: string, currentHash: string }} Hook */

/** No model answers faster. So two events never begin at the same time. */
const MODEL_MS = 50;

const args = process.argv.slice(2);
const settings = args.flatMap((argument, at) => (args[at - 1] === "-c" ? [argument] : []));

/** Reads the hooks of the command line, in the one form that Grove writes. @type {Hook[]} */
const hooks = settings.flatMap((setting) => {
  const form =
    /^hooks\.(\w+)=\[\{hooks=\[\{type="command",command=("(?:[^"\\]|\\.)*"),timeout=(\d+)\}\]\}\]$/;
  const [, event, command, timeout] = form.exec(setting) ?? [];
  if (!event || !command) return [];
  const name = event.replace(/[a-z](?=[A-Z])/g, "$&_").toLowerCase();
  return {
    event,
    command: JSON.parse(command),
    timeout: Number(timeout),
    key: `/<session-flags>/config.toml:${name}:0:0`,
    currentHash: `sha256:${createHash("sha256").update(setting).digest("hex")}`,
  };
});
const state = settings.find((setting) => setting.startsWith("hooks.state=")) ?? "";
/** @param {Hook} hook */
const isTrusted = ({ key, currentHash }) => state.includes(`"${key}"={trusted_hash="${currentHash}"}`);

/** Answers `hooks/list`. It ends at the end of its stdin, like Codex. */
function serve() {
  const lines = createInterface({ input: process.stdin });
  lines.on("close", () => process.exit(0));
  lines.on("line", (line) => {
    const { id, method } = JSON.parse(line);
    const answer = (/** @type {object} */ result) =>
      process.stdout.write(`${JSON.stringify({ id, result })}\n`);
    if (method === "initialize") answer({ userAgent: "codex" });
    if (method !== "hooks/list" || process.env.SCRIPTED_CODEX_SILENT) return;
    const listed = hooks.map(({ key, currentHash, command }) => ({
      key,
      currentHash,
      command,
      source: "sessionFlags",
      enabled: true,
      trustStatus: "untrusted",
    }));
    answer({ data: [{ cwd: process.cwd(), hooks: listed, warnings: [], errors: [] }] });
  });
}

/** @param {string} text */
const print = (text) => process.stdout.write(`${text}\r\n`);

/** @type {((key: string) => void) | undefined} */
let onKey;
/** Keys that no step has waited for yet. @type {string[]} */
let keys = [];
const nextKey = () =>
  new Promise((resolve) => {
    const early = keys.shift();
    if (early !== undefined) return resolve(early);
    onKey = (key) => {
      onKey = undefined;
      resolve(key);
    };
  });

/**
 * Runs an event's hook, and waits until every process that holds its stdout has ended.
 * @param {string} event
 * @param {object} [input]
 * @returns {Promise<string>}
 */
function runHook(event, input = {}) {
  const hook = hooks.find((one) => one.event === event && isTrusted(one));
  if (!hook) return Promise.resolve("");
  print("Running hook");
  const child = spawn(process.env.SHELL ?? "/bin/sh", ["-c", hook.command], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.on("error", () => {});
  const common = { session_id: "s", transcript_path: null, cwd: process.cwd(), hook_event_name: event };
  child.stdin.end(JSON.stringify({ ...common, model: "m", permission_mode: "default", ...input }));
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    output += text;
  });
  const tooLate = setTimeout(() => child.kill("SIGKILL"), hook.timeout * 1_000);
  return new Promise((resolve) => {
    child.on("close", () => {
      clearTimeout(tooLate);
      resolve(output.trim());
    });
  });
}

/** @param {string} command */
async function ask(command) {
  const input = { tool_name: "Bash", tool_input: { command, description: "Scripted" } };
  const answer = await runHook("PermissionRequest", input);
  if (answer !== "")
    return print(`decision ${JSON.stringify(JSON.parse(answer).hookSpecificOutput.decision)}`);
  // Keys that were typed in the meantime went into the prompt's editor.
  keys = [];
  print("Would you like to run the following command?");
  print(`decided by key ${await nextKey()}`);
  await sleep(MODEL_MS);
}

const now = new Date();
const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((n) => String(n).padStart(2, "0"));
const directory = join(process.env.CODEX_HOME ?? join(homedir(), ".codex"), "sessions", ...day);
const recordFile = join(directory, `rollout-${now.toISOString().replaceAll(":", "-")}-${randomUUID()}.jsonl`);
/**
 * @param {string} type
 * @param {object} payload
 */
function record(type, payload) {
  mkdirSync(directory, { recursive: true });
  const line = { timestamp: new Date().toISOString(), type, payload };
  appendFileSync(recordFile, `${JSON.stringify(line)}\n`);
}

async function run() {
  process.stdin.setRawMode?.(true);
  process.stdin.setEncoding("utf8").on("data", (data) => {
    for (const key of String(data))
      if (onKey) onKey(key);
      else keys.push(key);
  });
  /** @type {Record<string, (value: any) => unknown>} */
  const steps = {
    ask,
    print,
    key: nextKey,
    stop: async () => {
      await runHook("Stop", { last_assistant_message: "All done." });
      record("event_msg", { type: "task_complete", last_agent_message: "All done.", duration_ms: 1 });
    },
    limits: (rate_limits) => record("event_msg", { type: "token_count", info: null, rate_limits }),
    abort: () => record("event_msg", { type: "turn_aborted", reason: "interrupted" }),
  };
  record("session_meta", { id: "s", cwd: process.cwd(), originator: "codex_cli" });
  await runHook("SessionStart", { source: "startup" });
  await sleep(MODEL_MS);
  await runHook("UserPromptSubmit", { prompt: "scripted", turn_id: "t" });
  record("event_msg", { type: "task_started" });
  await sleep(MODEL_MS);
  for (const step of JSON.parse(args[args.indexOf("--") + 1] ?? "[]")) {
    const [name = "", value] = Object.entries(step)[0] ?? [];
    await steps[name]?.(value);
  }
  print("> ");
  // Stays at its prompt.
  setInterval(() => {}, 60_000);
}

if (args[0] === "app-server") serve();
else await run();
