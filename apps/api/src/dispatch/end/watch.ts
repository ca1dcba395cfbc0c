import { type CommandEvent, isSettled } from "@grove/schemas";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { endWhenDraining } from "../../lib/draining";
import { WakeUp } from "../../lib/wakeUp";
import type { Services } from "../../services";
import { announceChanges, type CommandRow, readCommand, toCommand } from "../command";

/** The read that makes up for a wake-up that was lost. */
const SAFETY_READ_MS = 20_000;

/**
 * A command's newest line of progress whenever it changes, then the settled command. The row is the state: who comes
 * back with the time of the line last seen gets what is newer, and lines that followed one another faster than they
 * could be read are one.
 * @throws SERVICE_UNAVAILABLE `server_draining` when the process shuts down; tRPC's client then comes back by itself
 */
export async function* watchCommand(
  services: Services,
  found: CommandRow,
  lastSeen: string | undefined,
  hungUp: AbortSignal = new AbortController().signal,
): AsyncGenerator<TrackedEnvelope<CommandEvent>, void> {
  const { notifier } = services.database;
  const { organization_id: organizationId, id } = found;
  const wakeUp = new WakeUp();
  // Listening begins before the first read, so that nothing falls between the two.
  const unsubscribe = notifier.subscribe("command_changed", id, () => wakeUp.wake());
  try {
    let seen = lastSeen;
    await announceChanges(services, found);
    for (;;) {
      const row = await readCommand(services, organizationId, id);
      if (row.progress && row.progress.at !== seen) {
        seen = row.progress.at;
        yield tracked(seen, { type: "progress", progress: row.progress });
      }
      if (isSettled(row.status))
        return void (yield tracked(row.progress?.at ?? row.status, {
          type: "settled",
          command: toCommand(row),
        }));
      endWhenDraining(services, { commandId: id });
      await wakeUp.wait(SAFETY_READ_MS, [hungUp, services.draining]);
      if (hungUp.aborted) return;
    }
  } finally {
    unsubscribe();
  }
}
