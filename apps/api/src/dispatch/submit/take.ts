import { GroveError, type MaybeCached, type UserPrincipal } from "@grove/auth";
import { isNotBegun, isStatementTimeout, isUnavailable } from "@grove/db";
import { type AgentExecuteInput, deviceTools, isDeviceTool, type Role } from "@grove/schemas";
import { sql } from "kysely";
import { hashOf, idempotencyOwner } from "../../lib/idempotency";
import { lifetimes } from "../../lib/lifetimes";
import { WakeUp } from "../../lib/wakeUp";
import type { Services } from "../../services";
import type { CommandRow } from "../command";
import { toEvent } from "../stream/openRows";
import type { Submission } from "./insert";
import { checkCaller, checkDevice, checkQueue } from "./refusals";

/** For tools of a newer device agent, which this server does not know. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** How often a command is submitted again when the reason for its refusal has gone. */
const INSERT_RETRIES = 10;
/** The pause before a command is submitted again to a database that may have made its row before it went away. */
const RETRY_MS = 1_000;

export const isUncertain = (error: unknown): error is GroveError =>
  error instanceof GroveError && error.reason === "outcome_unknown";

/** The command's id, and how long its caller waits, on the clock of `performance.now()`. */
interface Taking {
  id: string;
  deadline: number;
  caller: AbortSignal | undefined;
}

/**
 * Makes the command's row, or finds the earlier row of the same idempotency key. If the database goes away and may have
 * made the row, the same row is submitted again for as long as the caller waits. That is safe: the id is the primary
 * key.
 * @throws {GroveError} SERVICE_UNAVAILABLE `outcome_unknown` when the caller's time ends before that is known
 */
export async function take(
  services: Services,
  principal: MaybeCached<UserPrincipal>,
  input: AgentExecuteInput,
  { id, deadline, caller }: Taking,
): Promise<CommandRow> {
  const signals = caller ? [services.draining, caller] : [services.draining];
  let uncertain: GroveError;
  try {
    return await insert(services, principal, input, id);
  } catch (error) {
    if (!isUncertain(error)) throw error;
    uncertain = error;
  }
  while (performance.now() + RETRY_MS < deadline && !signals.some((signal) => signal.aborted)) {
    await new WakeUp().wait(RETRY_MS, signals);
    const row = await insertAgain(services, principal, input, id);
    if (row) return row;
  }
  throw uncertain;
}

/**
 * Submits again a command whose row may exist. Returns undefined while that is unknown: an earlier attempt may still be
 * waiting in PostgreSQL for its commit.
 */
async function insertAgain(
  services: Services,
  principal: MaybeCached<UserPrincipal>,
  input: AgentExecuteInput,
  id: string,
): Promise<CommandRow | undefined> {
  try {
    const row = await submit(services, principal, input, id);
    if (row) return row;
    const taken = await services.dispatch.read({ organizationId: input.organizationId, id });
    // It may have been claimed for a stream that is attached to this process and was never notified.
    if (taken) services.dispatch.streams.of(input.deviceId)?.revalidate();
    return taken;
  } catch (error) {
    if (isUnavailable(error) || isStatementTimeout(error)) return undefined;
    throw error;
  }
}

/** The hash of everything that an idempotency key stands for. */
const meaningOf = ({ deviceId, tool, params }: AgentExecuteInput) => hashOf([deviceId, tool, params]);

/**
 * Makes the command's row, and hands it to the device's stream if that is attached to this process. Returns undefined
 * when the database made none.
 */
async function submit(
  services: Services,
  principal: MaybeCached<UserPrincipal>,
  input: AgentExecuteInput,
  id: string,
): Promise<CommandRow | undefined> {
  const timeoutMs =
    input.timeoutMs ?? (isDeviceTool(input.tool) ? deviceTools[input.tool].timeoutMs : DEFAULT_TIMEOUT_MS);
  const local = services.draining.aborted ? undefined : services.dispatch.streams.of(input.deviceId);
  const submission = (user: UserPrincipal, role: Role | null): Submission => ({
    id,
    organization_id: input.organizationId,
    device_id: input.deviceId,
    tool: input.tool,
    params: input.params,
    requested_by: user.user.id,
    key_id: user.kind === "api_key" ? user.keyId : null,
    role,
    principal: idempotencyOwner(user),
    idempotency_key: input.idempotencyKey ?? null,
    idempotency_hash: input.idempotencyKey === undefined ? null : meaningOf(input),
    timeout_ms: timeoutMs,
    queue_ttl_ms: input.ifOffline === "queue" ? input.queueTtlMs : timeoutMs,
    offline_too: input.ifOffline === "queue",
    epoch: local?.stream.epoch ?? null,
  });
  const { insert } = services.dispatch;
  try {
    const row = await (principal.kind === "cached"
      ? principal.verifiedIn(insert, (user) =>
          submission(user, user.memberships.get(input.organizationId) ?? null),
        )
      : insert(submission(principal, null)));
    if (row?.here) local?.push(toEvent({ ...row, remaining_ms: row.timeout_ms }));
    return row;
  } catch (error) {
    if (isUnavailable(error)) local?.revalidate();
    throw error;
  }
}

/**
 * Makes the command's row, or returns the earlier row of the same idempotency key.
 * @throws {GroveError} SERVICE_UNAVAILABLE `outcome_unknown` when the database goes away during the insert; otherwise
 * the reason why no row was made, as `execute` lists them
 */
async function insert(
  services: Services,
  principal: MaybeCached<UserPrincipal>,
  input: AgentExecuteInput,
  id: string,
  triesLeft = INSERT_RETRIES,
): Promise<CommandRow> {
  const row = await submit(services, principal, input, id).catch((error) => {
    if (!isUnavailable(error) || isNotBegun(error)) throw error;
    throw new GroveError(
      "SERVICE_UNAVAILABLE",
      `The database went away while the command was submitted. It may exist as command ${id}: ask for that with agent.getCommand before you send it again, or send it with an idempotencyKey.`,
      { reason: "outcome_unknown", details: { possibleCommandId: id } },
    );
  });
  if (row) return row;
  // The key may no longer be valid. If it is, the command is submitted once more, with what a new lookup finds.
  if (principal.kind === "cached") return insert(services, await principal.lookUp(), input, id, triesLeft);
  // A command that was submitted before the device went away is still the answer to its key.
  const before = input.idempotencyKey === undefined ? undefined : await earlier(services, principal, input);
  if (before) return before;
  await checkCaller(services, principal, input);
  await checkDevice(services, principal, input);
  await checkQueue(services, input);
  // The obstacle is gone: the device has just come back, or the key has become free.
  if (triesLeft > 0) return insert(services, principal, input, id, triesLeft - 1);
  throw new GroveError("CONFLICT", `The device ${input.deviceId} has just changed. Try again.`);
}

/**
 * The command that an idempotency key stands for. After 24 hours there is none, and the key is free again.
 * @throws {GroveError} CONFLICT `idempotency_key_reused` if the key stands for something else
 */
async function earlier(
  services: Services,
  principal: UserPrincipal,
  input: AgentExecuteInput,
): Promise<CommandRow | undefined> {
  const { db } = services.database;
  const owner = idempotencyOwner(principal);
  await db
    .updateTable("device_commands")
    .set({ idempotency_key: null })
    .where("organization_id", "=", input.organizationId)
    .where("principal", "=", owner)
    .where("idempotency_key", "=", input.idempotencyKey ?? "")
    .where(sql<boolean>`created_at < now() - ${lifetimes.idempotencyKey}`)
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
