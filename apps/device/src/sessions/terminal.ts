import { closeSync, constants, openSync } from "node:fs";
import { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Screen } from "@grove/terminal";
import type { IPty } from "@lydell/node-pty";
import { ToolError } from "../errors";
import type { Launch } from "./launch";

/** When a program has ended and nothing was read for so long, there is no more. */
const SILENT_MS = 50;
/** What it has left running may print for ever. */
const DRAIN_MS = 2_000;
/** What is typed to a program that does not read waits here, at most this much. */
const MAX_UNREAD_CHARACTERS = 64 * 1024;
/** Lines that have left the screen; of a session's output more is kept in the cloud. */
const SCROLLBACK = 500;

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
  columns: number;
  rows: number;
}

export interface OpenTerminal {
  terminal: IPty;
  /** What it shows, once it is told. */
  screen: Screen;
}

/**
 * Runs a program on a new terminal, as the leader of a session of its own. As soon as the screen is told of it, what the
 * program asks its terminal is answered: many that draw on the screen ask where the cursor is, and end or wait without.
 * @throws {ToolError} `terminal_missing` where the native module is not installed, `start_failed`
 */
export async function openTerminal(
  { file, args }: Launch,
  { cwd, env, columns, rows }: TerminalOptions,
): Promise<OpenTerminal> {
  const { spawn } = await loadModule();
  // With the first session, too.
  const { Screen } = await import("@grove/terminal");
  try {
    const terminal = spawn(file, args, { name: "xterm-256color", cwd, env, cols: columns, rows });
    readToTheEnd(terminal);
    const onAnswer = (answer: string) => {
      if (takesInput(terminal)) terminal.write(answer);
    };
    return { terminal, screen: new Screen({ columns, rows, scrollback: SCROLLBACK, onAnswer }) };
  } catch (error) {
    throw new ToolError("start_failed", `The agent could not be started: ${(error as Error).message}`);
  }
}

/** Whether the program reads what it is sent, or has not been sent much. */
export function takesInput(terminal: IPty): boolean {
  const socket = socketOf(terminal);
  return socket ? socket.writable && socket.writableLength <= MAX_UNREAD_CHARACTERS : false;
}

/** node-pty keeps to itself what the terminal is read and written through. */
function socketOf(terminal: IPty): Socket | undefined {
  const socket: unknown = Reflect.get(terminal, "_socket");
  return socket instanceof Socket ? socket : undefined;
}

/**
 * Sees to it that all of the output is read. Of a terminal whose programs have all gone, libuv takes a short read for
 * the end, though more may come (uv__stream_io on POLLHUP): so this process holds the programs' side open as well. And
 * node-pty closes the terminal 200 ms after its program has ended, read or not: here, when nothing has come for a while.
 */
function readToTheEnd(terminal: IPty): void {
  const socket = socketOf(terminal);
  const path: unknown = Reflect.get(terminal, "ptsName");
  if (!socket || typeof path !== "string") return;
  const held = openSync(path, constants.O_RDWR | constants.O_NOCTTY);
  socket.once("close", () => closeSync(held));
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

/** With the first session: an agent that never runs one does not carry it. */
async function loadModule() {
  try {
    return await import("@lydell/node-pty");
  } catch (error) {
    throw new ToolError(
      "terminal_missing",
      `This device agent is installed without its terminal module @lydell/node-pty, so it cannot run agents. Install grove-device with npm. (${(error as Error).message})`,
    );
  }
}
