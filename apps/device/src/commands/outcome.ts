import type { CommandReason } from "@grove/schemas";
import { CommandFailure, isDiskFull, toCommandError } from "../errors";
import type { Recovered } from "../tool";
import type { Outcome } from "./journalFile";

/** The reason of a command's signal when it is ended from outside. */
export class Ended extends Error {
  readonly why: "canceled" | "expired" | "timed_out" | "given_up" | "stopping";

  constructor(why: Ended["why"]) {
    super(`ended: ${why}`);
    this.why = why;
  }
}

/**
 * The outcome that the caller sees when a command threw.
 * @param begun whether the journal has the command; otherwise no work was done
 */
export function outcomeOf(error: unknown, signal: AbortSignal, begun: boolean): Outcome {
  if (!(signal.aborted && signal.reason instanceof Ended)) return { error: toCommandError(error) };
  const consequence = begun
    ? "so the device ended the work and undid what it had made."
    : "and nothing was begun.";
  switch (signal.reason.why) {
    case "canceled":
      return { canceled: true };
    case "expired":
      return failed(
        "queue_expired",
        "The device had no free slot before the command's time to wait ran out. Nothing was begun, so it can be sent again.",
        [],
      );
    case "timed_out":
      return failed("timed_out", `Its time was up, ${consequence}`, []);
    case "given_up":
      return failed("given_up", `The API had given it up, ${consequence}`, []);
    case "stopping":
      return interruptedOutcome({
        message: `It was stopped on the machine itself, ${consequence}`,
        created: [],
      });
  }
}

/** The outcome that the caller sees when a command could not be written to the journal, and so was not begun. */
export const notBegunOutcome = (error: unknown): Outcome =>
  isDiskFull(error)
    ? failed(
        "disk_full",
        "The device's disk is full, so nothing was begun. Free some space on it and try again.",
      )
    : failed(
        "journal_failed",
        `The device could not write its journal, so nothing was begun: ${String(error)}`,
      );

/** The outcome that the caller sees when a command was cut off because the device agent ended. */
export const interruptedOutcome = ({ message, created }: Recovered): Outcome =>
  failed("interrupted", `grove-device ended while this command ran. ${message}`, created);

/** @param created see `commandError` */
const failed = (reason: CommandReason, message: string, created?: string[]): Outcome => ({
  error: { ...toCommandError(new CommandFailure(reason, message)), ...(created && { created }) },
});
