import { errorData } from "@grove/client";
import type { Command, Reason } from "@grove/schemas";
import { awaitSettled } from "./commandQuery";

/** Errors after which the command may still be running: only the API has stopped waiting for it. */
const stillRunning: (Reason | undefined)[] = ["command_pending", "server_draining", "database_unavailable"];
/** Enough for a restart of the API. */
const TIMEOUT_MS = 60_000;

/**
 * Waits for the command of a call that failed before the command ended, for example because the API was restarting.
 * @param error the error of the call
 * @throws {Error} the same error, if it names no command or the outcome is still unknown after 60 s
 */
export async function awaitCommand(organizationId: string, error: unknown): Promise<Command> {
  const { reason, details } = errorData(error) ?? {};
  const id = details?.commandId;
  if (typeof id !== "string" || !stillRunning.includes(reason)) throw error;
  return awaitSettled(organizationId, id, { timeoutMs: TIMEOUT_MS }).catch(() => {
    throw error;
  });
}
