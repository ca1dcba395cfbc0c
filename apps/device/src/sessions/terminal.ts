import { Socket } from "node:net";
import type { IPty } from "@lydell/node-pty";
import { ToolError } from "../errors";
import type { Launch } from "./launch";

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
  columns: number;
  rows: number;
}

/**
 * Runs a program on a new terminal, as the leader of a session of its own.
 * @throws {ToolError} `terminal_missing` where the native module is not installed, `start_failed`
 */
export async function openTerminal(
  { file, args }: Launch,
  { cwd, env, columns, rows }: TerminalOptions,
): Promise<IPty> {
  const { spawn } = await loadModule();
  try {
    const terminal = spawn(file, args, { name: "xterm-256color", cwd, env, cols: columns, rows });
    readBeforeClosing(terminal);
    return terminal;
  } catch (error) {
    throw new ToolError("start_failed", `The agent could not be started: ${(error as Error).message}`);
  }
}

/** How many characters were typed that the program has not read. */
export const unreadInput = (terminal: IPty): number => socketOf(terminal)?.writableLength ?? 0;

/** node-pty keeps to itself what the terminal is read and written through. */
function socketOf(terminal: IPty): Socket | undefined {
  const socket: unknown = Reflect.get(terminal, "_socket");
  return socket instanceof Socket ? socket : undefined;
}

/**
 * node-pty closes the terminal 200 ms after its program has ended, read or not. When the reading was held up, or the
 * machine is busy, that would be the end of the output: so it is read first, by two more turns of the event loop.
 */
function readBeforeClosing(terminal: IPty): void {
  const socket = socketOf(terminal);
  if (!socket) return;
  const destroy = socket.destroy.bind(socket);
  socket.destroy = (error?: Error) => {
    if (error) return destroy(error);
    socket.resume();
    setImmediate(() => setImmediate(() => destroy()));
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
