import { type CommandError, type CommandReason, messageOf, type ShownScreen } from "@grove/schemas";
import { GitError, GitMissingError } from "./git/run";
import { withInstalledNames } from "./lib/commandNames";
import { isErrno } from "./lib/fileSystem";
import { withoutCredentials } from "./log";

/** A failure that the caller of a tool sees: a stable reason, and a message that names the next step. */
export class CommandFailure extends Error {
  readonly reason: CommandReason;
  /** The terminal's screen, if an answer was refused for that. */
  readonly screen: ShownScreen | undefined;

  constructor(reason: CommandReason, message: string, screen?: ShownScreen) {
    super(message);
    this.reason = reason;
    this.screen = screen;
  }
}

/** Thrown when the journal's path leads to another file: another agent has taken the home, or a user moved the file. */
export class JournalReplacedError extends Error {
  constructor(path: string) {
    super(
      `${path} is no longer the file that this grove-device writes. Another grove-device runs on the same home, perhaps in another container, or the file was moved. This one begins no more commands and exits.`,
    );
  }
}

export const isDiskFull = (error: unknown): boolean =>
  isErrno(error, "ENOSPC", "EDQUOT", "EFBIG") ||
  (error instanceof GitError && /No space left on device|Disk quota exceeded/i.test(error.stderr));

/** Converts any thrown error to the error that the caller of a tool sees. */
export function toCommandError(error: unknown): CommandError & { reason: CommandReason } {
  const words = messageOf(error);
  const message = withInstalledNames(withoutCredentials(words)).slice(0, 10_000);
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
