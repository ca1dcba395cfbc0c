/*
 * The program that a coding agent runs as its hook (`dist/hook.cjs`). It passes the event to the device agent, and
 * prints the answer to a permission request, if one comes. If anything goes wrong, it exits with 0 and prints nothing:
 * the agent then behaves as if Grove did not exist. It is one process without children: an agent may wait for every
 * process that holds its stdout.
 */

import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { uptime } from "node:os";
import { performance } from "node:perf_hooks";
import { readHookEnv } from "./env";
import { GAVE_UP_LINE, PRINTED_LINE } from "./lines";

/** A socket of this machine accepts immediately, unless the device agent is stopped and its queue is full. */
const CONNECT_MS = 1_000;
/** The device agent sends a sign of life more often than this while it holds a request. */
const SILENCE_MS = 1_000;
/** The longest silence of a device agent that runs but is slow. */
const BUSY_MS = 10_000;
/** How long sending the last line may take before the process exits. */
const EXIT_FLUSH_MS = 200;
const MAX_INPUT_BYTES = 16 * 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;
/** Fields that the device agent does not need. The first may be very large. */
const OMITTED = new Set(["tool_response", "transcript_path"]);

const exit = () => process.exit(0);

/** Linux counts times in ticks of 10 ms. */
const TICK_MS = 10;
/** The field of /proc/<pid>/stat with the start time, counted after the program's name (proc_pid_stat(5)). */
const START_TIME_FIELD = 19;

/**
 * When the agent started this process, in milliseconds since 1970. On a busy machine Node itself starts much later, and
 * two hooks not always in their order.
 */
function startedAt(): number {
  try {
    const stat = readFileSync("/proc/self/stat", "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const sinceBootMs = Number(fields[START_TIME_FIELD]) * TICK_MS;
    return Math.round(Date.now() - uptime() * 1_000 + sinceBootMs);
  } catch {
    return Math.round(performance.timeOrigin);
  }
}

/** Whether the device agent's process is known to run: it exists, and is not stopped (proc_pid_stat(5)). */
function isRunning(): boolean {
  try {
    const stat = readFileSync(`/proc/${Number(pid)}/stat`, "utf8");
    return "RSDI".includes(stat.charAt(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}

async function readInput(): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    bytes += chunk.length;
    if (bytes > MAX_INPUT_BYTES) exit();
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** The event as one line. A very large tool input is left out. */
function lineOf(token: string, input: Record<string, unknown>): string {
  const kept = Object.fromEntries(Object.entries(input).filter(([name]) => !OMITTED.has(name)));
  const message = { token, at: startedAt(), input: kept };
  const line = JSON.stringify(message);
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return `${line}\n`;
  return `${JSON.stringify({ ...message, input: { ...kept, tool_input: {}, isCut: true } })}\n`;
}

/** Waits for the answer: empty lines are signs of life, another line is a JSON string to print. */
function printAnswer(socket: Socket): void {
  let hasData = true;
  let hasGivenUp = false;
  let lastDataAt = performance.now();
  const giveUp = () => {
    if (hasData || (isRunning() && performance.now() - lastDataAt < BUSY_MS)) return;
    hasGivenUp = true;
    clearInterval(silence);
    // A device agent that was only slow learns that the request is still open.
    socket.end(GAVE_UP_LINE, exit);
    setTimeout(exit, EXIT_FLUSH_MS);
  };
  const silence = setInterval(() => {
    if (hasData) hasData = false;
    // If this process itself was slow, the server's signs of life have arrived and are read first.
    else setImmediate(giveUp);
  }, SILENCE_MS / 2);
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => {
    // The device agent reports that this hook gave up, so an answer that comes now must not be printed.
    if (hasGivenUp) return;
    hasData = true;
    lastDataAt = performance.now();
    received += text;
    const lines = received.split("\n");
    received = lines.pop() ?? "";
    const answer = lines.find((line) => line !== "");
    if (answer === undefined) return;
    clearInterval(silence);
    process.stdout.write(JSON.parse(answer), () => socket.end(PRINTED_LINE, exit));
  });
  socket.on("close", exit);
}

/** Sends the event to the device agent, and prints the answer to a permission request. */
async function forward(path: string, token: string): Promise<void> {
  const input = await readInput();
  const line = lineOf(token, input);
  const socket = connect(path).on("error", exit);
  // On a busy machine the timer can fire before the `connect` event, so pending I/O runs first.
  const connecting = setTimeout(() => setImmediate(() => socket.connecting && exit()), CONNECT_MS);
  socket.on("connect", () => {
    clearTimeout(connecting);
    if (input.hook_event_name !== "PermissionRequest") return void socket.end(line, exit);
    socket.write(line);
    printAnswer(socket);
  });
}

process.on("uncaughtException", exit).on("unhandledRejection", exit);
const { path, token, pid } = readHookEnv();
if (path && token) void forward(path, token);
else exit();
