import { constants } from "node:os";
import type { SessionEnd } from "./reporting/outputReporter";

/** How a session ended, by the exit of its agent and the reason for which it was ended from outside, if it was. */
export function endOf(
  exitCode: number,
  signal: number | undefined,
  endedFromOutside: "stopped" | "interrupted" | undefined,
): SessionEnd {
  const exitStatus = signal === undefined ? { exitCode } : {};
  if (endedFromOutside === "stopped") return { status: "stopped", ...exitStatus };
  if (endedFromOutside === "interrupted") return { status: "failed", ...exitStatus, error: interrupted };
  if (signal === undefined) return { status: "exited", exitCode };
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0] ?? signal;
  return {
    status: "failed",
    error: { reason: "killed", message: `The agent was ended by the signal ${name}.` },
  };
}

/** The error of a session that ended with the device agent. */
export const interrupted = {
  reason: "interrupted",
  message: "grove-device on this machine ended, and the agent session with it.",
};
