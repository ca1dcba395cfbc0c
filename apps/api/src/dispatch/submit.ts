import { GroveError, type UserPrincipal } from "@grove/auth";
import { isNotBegun, isUnavailable, newId } from "@grove/db";
import { deviceTools, isDeviceTool } from "@grove/schemas";
import { sql } from "kysely";
import { hashOf, idempotencyOwner } from "../idempotency";
import { requireLookedUp } from "../recalled";
import type { Services } from "../services";
import { requestCancel } from "./cancel";
import { checkCaller, checkDevice, checkQueue, type ExecuteInput } from "./checks";
import { toEvent } from "./claim";
import type { CommandRow } from "./commands";
import { SettledWait, untilSettled } from "./wait";

/** For tools of a newer device agent, which this server cannot know. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** When PostgreSQL has ended the insert of a process that it lost, whatever that waited for. */
const INSERT_ENDS_WITHIN_MS = 60_000;
/** How often a command is submitted again to a device that may take it after all. */
const INSERT_RETRIES = 10;

/**
 * Hands a command to a device and waits for its result as long as the caller asked.
 * @throws SERVICE_UNAVAILABLE when the database is away: `outcome_unknown` when a row may have been made, with the id that
 * the row would have as `possibleCommandId`; `database_unavailable` with `commandId` when it was made and the command goes
 * on
 * @throws PRECONDITION_FAILED `device_offline` or `unsupported_tool`, TOO_MANY_REQUESTS `queue_full`, CONFLICT
 * `idempotency_key_reused`, NOT_FOUND for an unknown device, FORBIDDEN `device_owner_required` or `not_a_member`: in all
 * of them nothing was queued
 */
export async function execute(
  services: Services,
  principal: UserPrincipal,
  input: ExecuteInput,
  caller: AbortSignal | undefined,
): Promise<CommandRow> {
  const id = newId();
  const wait = new SettledWait(services, id);
  try {
    const row = await insert(services, principal, input, id).catch((error) => {
      // Nobody reads that the command may have been taken.
      if (isUncertain(error) && input.cancelOnDisconnect && caller?.aborted)
        services.dispatch.cancelLater({
          organization_id: input.organizationId,
          id,
          insertEndsBy: performance.now() + INSERT_ENDS_WITHIN_MS,
        });
      throw error;
    });
    return await followed(services, input, row, caller, () =>
      // Another row is that of the command that the idempotency key stands for already.
      row.id === id ? wait.row(row, input.waitMs, caller) : untilSettled(services, row, input.waitMs, caller),
    );
  } finally {
    wait.close();
  }
}

/** The command once its caller need not wait any more; canceled, if it is to be, when the caller has hung up. */
async function followed(
  services: Services,
  { cancelOnDisconnect }: ExecuteInput,
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
    if (isAbandoned()) services.dispatch.cancelLater(row);
    throw new GroveError(
      "SERVICE_UNAVAILABLE",
      `The database cannot be reached at this time; command ${row.id} goes on. Ask for it with agent.getCommand.`,
      { reason: "database_unavailable", details: { commandId: row.id } },
    );
  }
}

const isUncertain = (error: unknown) => error instanceof GroveError && error.reason === "outcome_unknown";

/** What an idempotency key stands for. */
const meaningOf = ({ deviceId, tool, params }: ExecuteInput) => hashOf([deviceId, tool, params]);

/**
 * Makes the command's row, and hands it to the device's stream if that hangs on this process. Returns an earlier row of
 * the same key.
 */
async function insert(
  services: Services,
  principal: UserPrincipal,
  input: ExecuteInput,
  id: string,
  triesLeft = INSERT_RETRIES,
): Promise<CommandRow> {
  const timeoutMs =
    input.timeoutMs ?? (isDeviceTool(input.tool) ? deviceTools[input.tool].timeoutMs : DEFAULT_TIMEOUT_MS);
  const local = services.draining.aborted ? undefined : services.dispatch.streamOf(input.deviceId);
  try {
    const row = await services.commands.insert({
      id,
      organization_id: input.organizationId,
      device_id: input.deviceId,
      tool: input.tool,
      params: input.params,
      requested_by: principal.user.id,
      key_id: principal.kind === "api_key" ? principal.keyId : null,
      role:
        principal.kind === "api_key" && principal.recalled
          ? (principal.memberships.get(input.organizationId) ?? null)
          : null,
      principal: idempotencyOwner(principal),
      idempotency_key: input.idempotencyKey ?? null,
      idempotency_hash: input.idempotencyKey === undefined ? null : meaningOf(input),
      timeout_ms: timeoutMs,
      queue_ttl_ms: input.ifOffline === "queue" ? input.queueTtlMs : timeoutMs,
      offline_too: input.ifOffline === "queue",
      epoch: local?.stream.epoch ?? null,
    });
    if (row?.here) local?.push(toEvent({ ...row, remaining_ms: row.timeout_ms }));
    if (row) return row;
  } catch (error) {
    if (!isUnavailable(error) || isNotBegun(error)) throw error;
    local?.doubt();
    throw new GroveError(
      "SERVICE_UNAVAILABLE",
      `The database went away while the command was handed over. It may have been taken as command ${id}: ask for that with agent.getCommand before you send it again, or send it with an idempotencyKey.`,
      { reason: "outcome_unknown", details: { possibleCommandId: id } },
    );
  }
  requireLookedUp(principal);
  // A command that was taken before the device went away is still the answer to its key.
  const before = input.idempotencyKey === undefined ? undefined : await earlier(services, principal, input);
  if (before) return before;
  await checkCaller(services, principal, input);
  await checkDevice(services, principal, input);
  await checkQueue(services, input);
  // What stood in the way is gone: the device has come back at this moment, or the key has become free.
  if (triesLeft > 0) return insert(services, principal, input, id, triesLeft - 1);
  throw new GroveError("CONFLICT", `The device ${input.deviceId} was changed just now. Try again.`);
}

/**
 * The command that an idempotency key stands for; none when it is older than 24 hours, and the key then free again.
 * @throws CONFLICT `idempotency_key_reused` when it stood for something else
 */
async function earlier(
  services: Services,
  principal: UserPrincipal,
  input: ExecuteInput,
): Promise<CommandRow | undefined> {
  const { db } = services.database;
  const owner = idempotencyOwner(principal);
  await db
    .updateTable("device_commands")
    .set({ idempotency_key: null })
    .where("organization_id", "=", input.organizationId)
    .where("principal", "=", owner)
    .where("idempotency_key", "=", input.idempotencyKey ?? "")
    .where(sql<boolean>`created_at < now() - interval '24 hours'`)
    .execute();
  const row = await db
    .selectFrom("device_commands")
    .selectAll()
    .where("organization_id", "=", input.organizationId)
    .where("principal", "=", owner)
    .where("idempotency_key", "=", input.idempotencyKey ?? "")
    .executeTakeFirst();
  if (row && row.idempotency_hash !== meaningOf(input))
    throw new GroveError(
      "CONFLICT",
      `The idempotency key "${input.idempotencyKey}" stands for another command, ${row.id}. Use a new key.`,
      { reason: "idempotency_key_reused", details: { commandId: row.id } },
    );
  return row;
}
