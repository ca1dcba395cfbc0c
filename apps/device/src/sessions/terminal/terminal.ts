import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "@grove/schemas";
import type { Screen } from "@grove/terminal";
import type { IPty } from "@lydell/node-pty";
import { CommandFailure } from "../../errors";
import type { Launch } from "../process/launch";
import { loadNodePty } from "./loadNodePty";

/** Once a program has ended and nothing was read for this long, its output is complete. */
const SILENT_MS = 50;
/** Processes that the program left running may print forever, so reading stops after this time. */
const DRAIN_MS = 2_000;
/** The most unread input that is buffered here. */
const MAX_UNREAD_CHARACTERS = 64 * 1024;
/** How many lines that scrolled off the screen are kept. The cloud keeps more of a session's output. */
const SCROLLBACK = 500;

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
  columns: number;
  rows: number;
}

export interface OpenTerminal {
  terminal: IPty;
  /** The screen that shows the output. */
  screen: Screen;
}

/**
 * gpg prompts for a passphrase on the terminal that GPG_TTY names, which is known only once the terminal is open. The
 * script is constant: program and arguments are parameters, which the shell does not parse as code.
 */
const ON_ITS_TERMINAL = 'GPG_TTY=$(command -p tty) && export GPG_TTY; exec "$0" "$@"';

/**
 * Runs a program on a new terminal, as the leader of a new session. The screen answers the program's terminal queries.
 * Many full-screen programs query the cursor position, and exit or wait without an answer.
 * @throws {CommandFailure} `terminal_missing` if the native module is not installed, `start_failed`
 */
export async function openTerminal(
  { file, args }: Launch,
  { cwd, env, columns, rows }: TerminalOptions,
): Promise<OpenTerminal> {
  const { spawn } = loadNodePty();
  // Also loaded with the first session.
  const { Screen } = await import("@grove/terminal");
  try {
    const terminal = spawn("/bin/sh", ["-c", ON_ITS_TERMINAL, file, ...args], {
      name: "xterm-256color",
      cwd,
      env,
      cols: columns,
      rows,
    });
    readToTheEnd(terminal);
    const onAnswer = (answer: string) => {
      if (takesInput(terminal)) terminal.write(answer);
    };
    return { terminal, screen: new Screen({ columns, rows, scrollback: SCROLLBACK, onAnswer }) };
  } catch (error) {
    throw new CommandFailure("start_failed", `The agent could not be started: ${messageOf(error)}`);
  }
}

/** Whether the program reads its input, or has not been sent much. */
export function takesInput(terminal: IPty): boolean {
  const socket = socketOf(terminal);
  return socket ? socket.writable && socket.writableLength <= MAX_UNREAD_CHARACTERS : false;
}

/** The socket through which node-pty reads and writes the terminal, which it keeps private. */
function socketOf(terminal: IPty): Socket | undefined {
  const socket: unknown = Reflect.get(terminal, "_socket");
  return socket instanceof Socket ? socket : undefined;
}

/**
 * Ensures that all output is read. Once all programs on a terminal have exited, libuv takes a short read for the end,
 * though more may come (uv__stream_io on POLLHUP). So this process keeps the programs' side open as well.
 *
 * node-pty closes the terminal 200 ms after its program has ended, read or not. Here it is closed once it has been
 * silent for a while.
 */
function readToTheEnd(terminal: IPty): void {
  const socket = socketOf(terminal);
  const path: unknown = Reflect.get(terminal, "ptsName");
  if (!socket || typeof path !== "string") return;
  const terminalFd = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  socket.once("close", () => closeSync(terminalFd));
  let lastRead = 0;
  terminal.onData(() => {
    lastRead = performance.now();
  });
  const destroy = socket.destroy.bind(socket);
  const closeWhenSilent = async () => {
    const began = performance.now();
    do await sleep(SILENT_MS);
    while (performance.now() - lastRead < SILENT_MS && performance.now() - began < DRAIN_MS);
    destroy();
  };
  let closing = false;
  socket.destroy = (error?: Error) => {
    if (error) return destroy(error);
    socket.resume();
    if (!closing) void closeWhenSilent();
    closing = true;
    return socket;
  };
}
