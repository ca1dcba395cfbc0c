import { GroveError, type MaybeCached, type UserPrincipal } from "@grove/auth";
import { isUnavailable } from "@grove/db";
import type { AgentExecuteInput } from "@grove/schemas";
import type { Services } from "../../services";
import type { CommandRow } from "../command";
import { requestCancel } from "../end/cancel";
import { SettledWait, untilSettled } from "../end/wait";
import { isUncertain, submit } from "./submit";
import { untilDecided } from "./untilDecided";

/** The time after which PostgreSQL has ended the insert of a process that it lost, even one that waited for a lock. */
const INSERT_ENDS_WITHIN_MS = 60_000;

/**
 * Hands a command to a device and waits for its result as long as the caller asked.
 * @throws {GroveError} SERVICE_UNAVAILABLE when the database is away for longer than `waitMs`. `outcome_unknown`: a row
 * may have been made, and `possibleCommandId` is the id that it would have. `database_unavailable`: the row was made
 * and the command continues, with its id as `commandId`
 * @throws {GroveError} PRECONDITION_FAILED `device_offline` or `unsupported_tool`, TOO_MANY_REQUESTS `queue_full`,
 * CONFLICT `idempotency_key_reused`, NOT_FOUND for an unknown device, FORBIDDEN `device_owner_required` or
 * `not_a_member`: in all of these cases nothing was queued
 */
export async function execute(
  services: Services,
  principal: MaybeCached<UserPrincipal>,
  input: AgentExecuteInput,
  caller: AbortSignal | undefined,
): Promise<CommandRow> {
  const id = services.database.notifier.newId();
  const deadline = performance.now() + input.waitMs;
  const wait = new SettledWait(services, id);
  try {
    const row = await submit(services, principal, input, id)
      .catch((error) => {
        if (!isUncertain(error)) throw error;
        return untilDecided(services, principal, input, error, { id, deadline, caller });
      })
      .catch((error) => {
        // The caller is gone, so nobody will read the error that names the command.
        if (isUncertain(error) && input.cancelOnDisconnect && caller?.aborted)
          services.dispatch.abandoned.add({
            organization_id: input.organizationId,
            id,
            insertEndsBy: performance.now() + INSERT_ENDS_WITHIN_MS,
          });
        throw error;
      });
    const leftMs = Math.max(0, deadline - performance.now());
    return await followed(services, input, row, caller, () =>
      // Another id means that the idempotency key already stands for an earlier command.
      row.id === id ? wait.row(row, leftMs, caller) : untilSettled(services, row, leftMs, caller),
    );
  } finally {
    wait.close();
  }
}

/**
 * Waits, and returns the command as its caller is to see it. If the caller disconnected and asked for
 * `cancelOnDisconnect`, the command is canceled.
 */
async function followed(
  services: Services,
  { cancelOnDisconnect }: AgentExecuteInput,
  row: CommandRow,
  caller: AbortSignal | undefined,
  waiting: () => Promise<CommandRow>,
): Promise<CommandRow> {
  const isAbandoned = () => cancelOnDisconnect && caller?.aborted === true;
  try {
    const current = await waiting();
    return isAbandoned() ? await requestCancel(services, current) : current;
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    if (isAbandoned()) services.dispatch.abandoned.add(row);
    throw new GroveError(
      "SERVICE_UNAVAILABLE",
      `The database cannot be reached now; command ${row.id} continues. Ask for it with agent.getCommand.`,
      { reason: "database_unavailable", details: { commandId: row.id } },
    );
  }
}
