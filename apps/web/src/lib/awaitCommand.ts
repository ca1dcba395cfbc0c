import { errorData, type Outputs } from "@grove/client";
import type { Reason } from "@grove/schemas";
import { client } from "./api";

/** The API has stopped waiting for a command. The command goes on. */
const goesOn: (Reason | undefined)[] = ["command_pending", "server_draining", "database_unavailable"];
const WAIT_MS = 5_000;
const PAUSE_MS = 1_000;
/** Enough for an API that starts again. */
const PATIENCE_MS = 60_000;

/**
 * The command of a call that failed because the API did not wait for its end. An API that shuts down gives such an
 * answer; the next one knows how the command has ended.
 * @param error the error of the call, which is thrown again if its outcome stays unknown
 * @throws {Error} the same error
 */
export async function awaitCommand(
  organizationId: string,
  error: unknown,
): Promise<Outputs["agent"]["getCommand"]> {
  const { reason, details } = errorData(error) ?? {};
  const id = details?.commandId;
  if (typeof id !== "string" || !goesOn.includes(reason)) throw error;
  const deadline = performance.now() + PATIENCE_MS;
  while (performance.now() < deadline) {
    const command = await client.agent.getCommand
      .query({ organizationId, id, waitMs: WAIT_MS })
      .catch(() => undefined);
    if (command?.finishedAt != null) return command;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw error;
}
