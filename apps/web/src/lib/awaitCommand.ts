import { errorData, type Outputs } from "@grove/client";
import type { Reason } from "@grove/schemas";
import { client } from "./api";

/** Errors after which the command may still be running: only the API has stopped waiting for it. */
const stillRunning: (Reason | undefined)[] = ["command_pending", "server_draining", "database_unavailable"];
const LONG_POLL_MS = 5_000;
const PAUSE_MS = 1_000;
/** Enough for a restart of the API. */
const TIMEOUT_MS = 60_000;

/**
 * Waits for the command of a call that failed before the command ended, for example because the API was restarting.
 * @param error the error of the call
 * @throws {Error} the same error, if it names no command or the outcome is still unknown after 60 s
 */
export async function awaitCommand(
  organizationId: string,
  error: unknown,
): Promise<Outputs["agent"]["getCommand"]> {
  const { reason, details } = errorData(error) ?? {};
  const id = details?.commandId;
  if (typeof id !== "string" || !stillRunning.includes(reason)) throw error;
  const deadline = performance.now() + TIMEOUT_MS;
  while (performance.now() < deadline) {
    const command = await client.agent.getCommand
      .query({ organizationId, id, waitMs: LONG_POLL_MS })
      .catch(() => undefined);
    if (command?.finishedAt != null) return command;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw error;
}
