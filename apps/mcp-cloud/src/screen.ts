import type { Client, Outputs } from "@grove/client";
import { deviceTools, type SessionTail } from "@grove/schemas";
import type { CloudContext } from "./apiSession";

type Session = Outputs["agent"]["getSession"];

/** What a terminal shows: its last characters, and whether there was more before them. */
interface Shown {
  output: string;
  truncated: boolean;
}

/** A device that has not said by then what a terminal shows is not waited for. */
const DEVICE_MS = 3_000;

/**
 * What a running session's terminal shows, as its device has it. Undefined when that cannot be had now: the device is
 * away or has an older agent.
 * @param length of the output, at most
 * @param settleMs how long the program is waited for that draws now
 */
export async function screenOnDevice(
  { log }: CloudContext,
  client: Client,
  organizationId: string,
  { id, deviceId }: Session,
  { length, settleMs }: { length: number; settleMs: number },
  signal: AbortSignal,
): Promise<Shown | undefined> {
  try {
    // An agent of before does not know it.
    const params = { sessionId: id, length, ...(settleMs > 0 && { settleMs }) };
    const waitMs = DEVICE_MS + settleMs;
    const command = await client.agent.execute.mutate(
      { organizationId, deviceId, tool: "get_agent_screen", params, waitMs },
      { signal },
    );
    return deviceTools.get_agent_screen.result.safeParse(command.result).data;
  } catch (error) {
    signal.throwIfAborted();
    log.debug("the device did not say what the session shows", { error });
    return undefined;
  }
}

/** More lines than the longest answer has, nearly always; a line of the widest terminal takes 12 kB. */
const SCROLLBACK = 1_000;

/**
 * The same as far as the end of the output tells it that the cloud has kept: programs that draw what has changed, and
 * nothing else, may have drawn the rest before that.
 */
export async function screenOf(
  { output, truncated, columns, rows }: SessionTail,
  length: number,
): Promise<Shown> {
  const { Screen } = await import("@grove/terminal");
  const screen = new Screen({ columns, rows, scrollback: SCROLLBACK });
  await screen.write(finished(truncated ? continued(output) : output));
  const text = screen.lines().join("\n");
  const cut = truncated || screen.hasLost || text.length > length;
  screen.close();
  return { output: text.slice(-length).toWellFormed(), truncated: cut };
}

/** Output whose beginning is missing. */
function continued(output: string): string {
  // Not from the middle of a control sequence, whose rest would be text.
  const starts = [ESCAPE, "\n"].map((character) => output.indexOf(character)).filter((at) => at >= 0);
  const whole = starts.length > 0 ? output.slice(Math.min(...starts)) : output;
  const [change] = whole.split(ESCAPE).flatMap((sequence) => FULL_SCREEN.exec(sequence)?.[1] ?? []);
  // A full-screen program that leaves its screen had one before.
  return change === "l" ? `${ESCAPE}[?1049h${whole}` : whole;
}

/** Output without a picture at its end that the program has begun to draw (DEC mode 2026), if there is one before. */
function finished(output: string): string {
  const begun = output.lastIndexOf(`${ESCAPE}[?2026h`);
  return begun > output.lastIndexOf(`${ESCAPE}[?2026l`) && begun > 0 ? output.slice(0, begun) : output;
}

const ESCAPE = "\x1b";
/** The program takes (h) or leaves (l) a screen of its own. */
const FULL_SCREEN = /^\[\?(?:1049|1047|47)([hl])/;
