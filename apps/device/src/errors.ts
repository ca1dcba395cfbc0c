import type { CommandError, ShownScreen } from "@grove/schemas";
import { asInstalled } from "./asInstalled";
import { GitError, GitMissingError } from "./git/run";
import { isErrno } from "./home/home";
import { withoutCredentials } from "./log";

/** A failure that the caller of a tool sees: a stable reason, and a message that names the next step. */
export class CommandFailure extends Error {
  readonly reason: string;
  /** The terminal's screen, if an answer was refused for that. */
  readonly screen: ShownScreen | undefined;

  constructor(reason: string, message: string, screen?: ShownScreen) {
    super(message);
    this.reason = reason;
    this.screen = screen;
  }
}

export const isDiskFull = (error: unknown): boolean =>
  isErrno(error, "ENOSPC", "EDQUOT", "EFBIG") ||
  (error instanceof GitError && /No space left on device|Disk quota exceeded/i.test(error.stderr));

/** Converts any thrown error to the error that the caller of a tool sees. */
export function toCommandError(error: unknown): CommandError {
  const words = error instanceof Error ? error.message : String(error);
  const message = asInstalled(withoutCredentials(words)).slice(0, 10_000);
  if (error instanceof CommandFailure) {
    const { reason, screen } = error;
    return { reason, message, ...(screen && { screen }) };
  }
  if (isDiskFull(error))
    return { reason: "disk_full", message: `The device's disk is full. Free some space on it. (${message})` };
  if (error instanceof GitError) return { reason: "git_failed", message };
  if (error instanceof GitMissingError) return { reason: "git_missing", message };
  return { reason: "device_error", message };
}
