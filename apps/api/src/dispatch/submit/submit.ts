import { setTimeout as sleep } from "node:timers/promises";
import { GroveError } from "@grove/auth";
import { isNotBegun, isUnavailable } from "@grove/db";
import { type AgentExecuteInput, deviceTools, isDeviceTool, type Role } from "@grove/schemas";
import { backoffMs } from "@grove/signals/backoff";
import { traceparent } from "@grove/tracing";
import { idempotencyOwner, type MaybeCachedRequester, type Requester } from "../../lib/idempotency";
import type { Services } from "../../services";
import type { CommandRow } from "../command";
import { earlierCommand, inputHashOf } from "./idempotentCommand";
import type { Submission } from "./insert";
import { checkCaller, checkDevice, checkQueue } from "./refusals";

/** For tools that only a newer device agent has, and that this server does not know. */
const DEFAULT_TIMEOUT_MS = 60_000;
/** The minimum time that a command may wait on an online device for a free slot. No caller waits longer than this. */
const MIN_QUEUE_TTL_MS = 60_000;
/**
 * How many times a command is submitted again when no reason for its refusal was found, such as when its device is
 * locked.
 */
const RETRIES = 12;
const BACKOFF = { baseMs: 4, maxMs: 500 };

/**
 * Makes the command's row, or returns the earlier row of the same idempotency key.
 * @throws {GroveError} SERVICE_UNAVAILABLE `outcome_unknown` when the connection to the database is lost during the
 * insert; otherwise the reason why no row was made, as `execute` lists them
 */
export async function submit(
  services: Services,
  principal: MaybeCachedRequester,
  input: AgentExecuteInput,
  id: string,
  triesLeft = RETRIES,
): Promise<CommandRow> {
  const first = () => attempt(services, principal, input, id);
  const row = await services.loadShedder.workOn(first).catch((error) => {
    if (!isUnavailable(error) || isNotBegun(error)) throw error;
    throw new GroveError(
      "SERVICE_UNAVAILABLE",
      `The database became unreachable while the command was submitted. It may exist as command ${id}: check that before you send it again.`,
      { reason: "outcome_unknown", details: { possibleCommandId: id } },
    );
  });
  if (row) return row;
  // The API key may no longer be valid. If it is, the command is submitted once more, with the principal that a new
  // lookup finds.
  if (principal.kind === "cached") return submit(services, await principal.lookUp(), input, id, triesLeft);
  // A command that was submitted before the device went offline is still the result of its idempotency key.
  const before =
    input.idempotencyKey === undefined ? undefined : await earlierCommand(services, principal, input);
  if (before) return before;
  await checkCaller(services, principal, input);
  await checkDevice(services, principal, input);
  await checkQueue(services, input);
  // Another transaction has the device locked, the device has just come back, or the idempotency key has become free.
  if (triesLeft === 0)
    throw new GroveError(
      "CONFLICT",
      `The device ${input.deviceId} is busy: its record is locked by other work. Nothing was queued. Try again.`,
      { reason: "device_busy" },
    );
  await sleep(backoffMs(RETRIES - triesLeft + 1, BACKOFF));
  return submit(services, principal, input, id, triesLeft - 1);
}

/** Whether the connection to the database was lost while the row may have been inserted. */
export const isUncertain = (error: unknown): error is GroveError =>
  error instanceof GroveError && error.reason === "outcome_unknown";

/**
 * One attempt: makes the command's row, and hands it to the device's stream if that is attached to this process.
 * Returns undefined when the database made none.
 */
export async function attempt(
  services: Pick<Services, "dispatch" | "draining">,
  principal: MaybeCachedRequester,
  input: AgentExecuteInput,
  id: string,
): Promise<CommandRow | undefined> {
  const timeoutMs =
    input.timeoutMs ?? (isDeviceTool(input.tool) ? deviceTools[input.tool].timeoutMs : DEFAULT_TIMEOUT_MS);
  const local = services.draining.aborted ? undefined : services.dispatch.streams.of(input.deviceId);
  const submission = (user: Requester, role: Role | null): Submission => ({
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
    idempotency_hash: input.idempotencyKey === undefined ? null : inputHashOf(input),
    timeout_ms: timeoutMs,
    queue_ttl_ms: input.ifOffline === "queue" ? input.queueTtlMs : Math.max(timeoutMs, MIN_QUEUE_TTL_MS),
    offline_too: input.ifOffline === "queue",
    epoch: local?.stream.epoch ?? null,
    trace_parent: traceparent() ?? null,
  });
  const { insert } = services.dispatch;
  try {
    const row = await (principal.kind === "cached"
      ? principal.verifiedIn(insert, (user) =>
          submission(user, user.memberships.get(input.organizationId) ?? null),
        )
      : insert(submission(principal, null)));
    if (row?.is_local) local?.inbox.push(row);
    return row;
  } catch (error) {
    if (isUnavailable(error)) local?.inbox.resync();
    throw error;
  }
}
