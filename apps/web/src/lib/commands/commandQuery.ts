import { errorData } from "@grove/client";
import type { Command } from "@grove/schemas";
import { queries, queryClient } from "../api";
import { COMMAND_POLL_MS } from "../queries/pollIntervals";
import { isOpenStatus } from "./isOpenStatus";

/** Query options for a command, which is polled until it has ended. */
export const commandQuery = (organizationId: string, id: string) =>
  queries.agent.getCommand.queryOptions(
    { organizationId, id },
    {
      refetchInterval: ({ state }) =>
        state.data && !isOpenStatus(state.data.status) ? false : COMMAND_POLL_MS,
    },
  );

interface AwaitOptions {
  /** Called with each state that was read before the command ended. */
  onProgress?: (command: Command) => void;
  /** The longest wait. Without it, waits until the command has ended. */
  timeoutMs?: number;
}

/**
 * Waits until a command has ended. Repeats a request that failed, since the API may be restarting.
 * @throws {Error} if the API refuses the request, because the user signed out or the command was deleted
 * @throws {Error} if the command has not ended within `timeoutMs`
 */
export async function awaitSettled(
  organizationId: string,
  id: string,
  { onProgress, timeoutMs = Number.POSITIVE_INFINITY }: AwaitOptions = {},
): Promise<Command> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const command = await readCommand(organizationId, id);
    if (command && !isOpenStatus(command.status)) return command;
    if (command) onProgress?.(command);
    await new Promise((resolve) => setTimeout(resolve, COMMAND_POLL_MS));
  }
  throw new Error("The command did not finish in time. It may still be running.");
}

/** Reads the command from the API, not from the cache. Undefined if the API is unreachable. */
const readCommand = (organizationId: string, id: string) =>
  queryClient.fetchQuery({ ...commandQuery(organizationId, id), staleTime: 0 }).catch((error: unknown) => {
    if (isRefusal(error)) throw error;
    return undefined;
  });

const isRefusal = (error: unknown): boolean =>
  ["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND"].includes(errorData(error)?.code ?? "");
