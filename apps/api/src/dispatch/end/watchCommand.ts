import { type CommandEvent, isSettled } from "@grove/schemas";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { follow, type Reading } from "../../lib/follow";
import type { Services } from "../../services";
import { type CommandRow, toCommand } from "../command";
import { readCommand } from "../readCommand";

/**
 * Streams a command's newest line of progress whenever it changes, and then the settled command. The row holds the
 * state: a client that resumes with the time of the last line it saw gets anything newer. Lines that change faster than
 * they are read are merged into the newest.
 * @throws {GroveError} SERVICE_UNAVAILABLE `server_draining` when the process shuts down; tRPC's client then reconnects
 * by itself
 */
export async function* watchCommand(
  services: Services,
  found: CommandRow,
  lastSeen: string | undefined,
  clientGone: AbortSignal | undefined,
): AsyncGenerator<TrackedEnvelope<CommandEvent>, void> {
  const { organization_id: organizationId, id } = found;
  let seen = lastSeen;
  const followed = { channel: "command_changed", key: id, clientGone, details: { commandId: id } } as const;
  yield* follow(services, followed, async function* (): Reading<TrackedEnvelope<CommandEvent>> {
    const row = await readCommand(services, organizationId, id);
    if (row.progress && row.progress.at !== seen) {
      seen = row.progress.at;
      yield tracked(seen, { type: "progress", progress: row.progress });
    }
    if (!isSettled(row.status)) return undefined;
    yield tracked(row.progress?.at ?? row.status, { type: "settled", command: toCommand(row) });
    return "end";
  });
}
