import type { Client, Outputs } from "@grove/client";
import { deviceTools, type SessionTail } from "@grove/schemas";
import type { ApiContext } from "../api/apiSession";

type Session = Outputs["agent"]["getSession"];

/** The last characters that a terminal shows, and whether more came before them. */
interface Shown {
  output: string;
  truncated: boolean;
  /** The number of the screen, if its device was queried. */
  screen?: number;
}

interface Size {
  /** The maximum length of the output. */
  length: number;
  /** The number of characters at the end to leave out. */
  offset: number;
}

/** How long to wait for a device to report its terminal. */
const DEVICE_MS = 3_000;

/**
 * Reads the terminal of a running session from its device. Undefined if the device did not answer, such as one that is
 * offline.
 * @param settleMs how long to wait for a program that is drawing
 */
export async function screenOnDevice(
  { log }: ApiContext,
  client: Client,
  organizationId: string,
  { id, deviceId }: Session,
  { length, offset, settleMs }: Size & { settleMs: number },
  signal: AbortSignal,
): Promise<Shown | undefined> {
  try {
    const params = { sessionId: id, length, offset, settleMs };
    const waitMs = DEVICE_MS + settleMs;
    const command = await client.agent.execute.mutate(
      { organizationId, deviceId, tool: "get_agent_screen", params, waitMs },
      { signal },
    );
    return deviceTools.get_agent_screen.result.safeParse(command.result).data;
  } catch (error) {
    signal.throwIfAborted();
    log.debug("the device did not report the session's screen", { error });
    return undefined;
  }
}

/** Nearly always more lines than the longest response has; a line of the widest terminal takes 12 kB. */
const SCROLLBACK = 1_000;

/**
 * Renders the terminal from the tail of the output, which the cloud keeps. It is incomplete if a program that redraws
 * only changes drew other parts before that tail.
 */
export async function screenOf(
  { output, truncated, columns, rows }: SessionTail,
  { length, offset }: Size,
): Promise<Shown> {
  const { Screen } = await import("@grove/terminal");
  const screen = new Screen({ columns, rows, scrollback: SCROLLBACK });
  await screen.write(finished(truncated ? continued(output) : output));
  const text = screen.lines().join("\n");
  const cut = truncated || screen.hasLost || text.length > offset + length;
  screen.close();
  const end = Math.max(0, text.length - offset);
  return { output: text.slice(Math.max(0, end - length), end).toWellFormed(), truncated: cut };
}

/** Makes output without its beginning readable. */
function continued(output: string): string {
  // Do not start inside a control sequence, whose rest would be taken for text.
  const starts = [ESCAPE, "\n"].map((character) => output.indexOf(character)).filter((at) => at >= 0);
  const lastScreens = starts.length > 0 ? output.slice(Math.min(...starts)) : output;
  const [change] = lastScreens.split(ESCAPE).flatMap((sequence) => FULL_SCREEN.exec(sequence)?.[1] ?? []);
  // A full-screen program that leaves its own screen had one before.
  return change === "l" ? `${ESCAPE}[?1049h${lastScreens}` : lastScreens;
}

/** Drops an unfinished frame at the end (DEC mode 2026), if there is output before it. */
function finished(output: string): string {
  const updateStart = output.lastIndexOf(`${ESCAPE}[?2026h`);
  return updateStart > output.lastIndexOf(`${ESCAPE}[?2026l`) && updateStart > 0
    ? output.slice(0, updateStart)
    : output;
}

const ESCAPE = "\x1b";
/** The program enters (h) or leaves (l) the alternate screen. */
const FULL_SCREEN = /^\[\?(?:1049|1047|47)([hl])/;
