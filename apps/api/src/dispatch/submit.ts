import { createHash } from "node:crypto";
import { GroveError, requireDeviceUse, type UserPrincipal } from "@grove/auth";
import { isUniqueViolation, newId, notification } from "@grove/db";
import { type agentExecuteInput, deviceTools, isDeviceTool } from "@grove/schemas";
import { sql } from "kysely";
import { z } from "zod";
import { version } from "../../package.json";
import type { Services } from "../services";
import { requestCancel } from "./cancel";
import { type CommandRow, readCommand } from "./commands";
import { isOnline, presenceOf } from "./presence";
import { SettledWait } from "./wait";

type ExecuteInput = z.infer<typeof agentExecuteInput>;

/** How many open commands one device may have: a queue that nobody works off must not grow for ever. */
const MOST_OPEN = 1_000;

/** For tools of a newer device agent, which this server cannot know. */
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Hands a command to a device and waits for its result as long as the caller asked.
 * @throws PRECONDITION_FAILED `device_offline` or `unsupported_tool`, TOO_MANY_REQUESTS `queue_full`, CONFLICT `idempotency_key_reused`, NOT_FOUND for
 * an unknown device, FORBIDDEN `device_owner_required`: in all of them nothing was queued
 */
export async function execute(
  services: Services,
  principal: UserPrincipal,
  input: ExecuteInput,
  caller: AbortSignal | undefined,
): Promise<CommandRow> {
  if (isDeviceTool(input.tool)) z.object({ params: deviceTools[input.tool].params }).parse(input);
  try {
    await checkDevice(services, principal, input);
  } catch (error) {
    // A command that was taken before the device went away is still the answer to its key.
    const row = input.idempotencyKey === undefined ? undefined : await earlier(services, principal, input);
    if (!row) throw error;
    return joinOther(services, input, row, caller);
  }
  const id = newId();
  const wait = new SettledWait(services, id);
  try {
    const row = await insert(services, principal, input, id);
    if (row.id === id) return await settle(services, input, row, wait, caller);
    return await joinOther(services, input, row, caller);
  } finally {
    wait.close();
  }
}

/** Waits for the command that the idempotency key stands for already. */
async function joinOther(
  services: Services,
  input: ExecuteInput,
  { organization_id, id }: CommandRow,
  caller: AbortSignal | undefined,
): Promise<CommandRow> {
  const wait = new SettledWait(services, id);
  try {
    // Read again now that its end would be heard.
    const row = await readCommand(services.database.db, organization_id, id);
    return await settle(services, input, row, wait, caller);
  } finally {
    wait.close();
  }
}

/** Waits, and cancels for a caller that hung up and had asked for that. */
async function settle(
  services: Services,
  input: ExecuteInput,
  row: CommandRow,
  wait: SettledWait,
  caller: AbortSignal | undefined,
): Promise<CommandRow> {
  try {
    const settled = await wait.row(row, input.waitMs, caller);
    return caller?.aborted && input.cancelOnDisconnect ? await requestCancel(services, settled) : settled;
  } finally {
    wait.close();
  }
}

/** Whether the caller may use the device, and the device can run the tool now. */
async function checkDevice(services: Services, principal: UserPrincipal, input: ExecuteInput): Promise<void> {
  const device = await services.database.db
    .selectFrom("devices")
    .select([
      "name",
      "owner_id as ownerId",
      "shared",
      "agent_version",
      "capabilities",
      "last_seen_at",
      "revoked_at",
      "offline_reason",
      isOnline.as("online"),
    ])
    .where("organization_id", "=", input.organizationId)
    .where("id", "=", input.deviceId)
    .executeTakeFirst();
  if (!device) throw new GroveError("NOT_FOUND", `There is no device ${input.deviceId}.`);
  requireDeviceUse(principal, device);

  const { offlineReason } = presenceOf(device);
  if (offlineReason === "revoked" || (offlineReason !== null && input.ifOffline === "fail"))
    throw new GroveError(
      "PRECONDITION_FAILED",
      offlineMessage(device.name, offlineReason, device.last_seen_at),
      {
        reason: "device_offline",
        details: { offlineReason, lastSeenAt: device.last_seen_at?.toISOString() ?? null },
      },
    );
  if (device.agent_version !== null && !device.capabilities.includes(input.tool))
    throw new GroveError(
      "PRECONDITION_FAILED",
      `The device "${device.name}" runs agent ${device.agent_version}, which has no tool "${input.tool}"; this server is ${version}. Update the agent on that machine.`,
      { reason: "unsupported_tool", details: { agentVersion: device.agent_version, serverVersion: version } },
    );
}

function offlineMessage(name: string, reason: string, lastSeen: Date | null): string {
  const seen = lastSeen ? `last seen ${lastSeen.toISOString()}` : "never seen";
  const next =
    reason === "revoked"
      ? "Register the machine again."
      : reason === "outdated_agent"
        ? "Update the agent on that machine."
        : "Run `grove-device start` on that machine, or queue the command (ifOffline: queue).";
  return `The device "${name}" is offline (${reason}, ${seen}). ${next}`;
}

/** Whose idempotency keys these are. */
const ownerOf = (principal: UserPrincipal) =>
  principal.kind === "api_key" ? `api_key:${principal.keyId}` : `user:${principal.user.id}`;

/** What an idempotency key stands for. */
const hashOf = ({ deviceId, tool, params }: ExecuteInput) =>
  createHash("sha256")
    .update(JSON.stringify([deviceId, tool, params]))
    .digest("hex");

/** One statement: the row, and the wake-up that goes out with its commit. Returns an earlier row of the same key. */
async function insert(
  services: Services,
  principal: UserPrincipal,
  input: ExecuteInput,
  id: string,
): Promise<CommandRow> {
  const { db } = services.database;
  const timeoutMs =
    input.timeoutMs ?? (isDeviceTool(input.tool) ? deviceTools[input.tool].timeoutMs : DEFAULT_TIMEOUT_MS);
  try {
    const { rows } = await sql<CommandRow>`
      with inserted as (
        insert into device_commands (id, organization_id, device_id, tool, params, requested_by, principal,
          idempotency_key, idempotency_hash, timeout_ms, queue_expires_at)
        select ${id}, organization_id, id, ${input.tool}, ${JSON.stringify(input.params)}::jsonb,
          ${principal.user.id}::uuid, ${ownerOf(principal)}, ${input.idempotencyKey ?? null}::text, ${hashOf(input)}, ${timeoutMs}::integer,
          now() + ${input.queueTtlMs}::float8 * interval '1 millisecond'
        from devices
        where organization_id = ${input.organizationId} and id = ${input.deviceId} and revoked_at is null
          and (shared or owner_id = ${principal.user.id})
          and (select count(*) from (${openCommands(input)}) as open) < ${sql.lit(MOST_OPEN)}
        for share
        returning *)
      select inserted.*, ${notification("device_wake", sql`inserted.device_id::text`)} from inserted
    `.execute(db);
    const row = rows[0];
    if (row) return row;
    // It was revoked, deleted or shared no more just now, or has too much to do: the checks say which.
    await checkDevice(services, principal, input);
    await checkQueue(services, input);
    throw new GroveError("CONFLICT", `The device ${input.deviceId} was changed just now. Try again.`);
  } catch (error) {
    if (!isUniqueViolation(error, "device_commands_idempotency")) throw error;
    return (await earlier(services, principal, input)) ?? insert(services, principal, input, id);
  }
}

/** The device's open commands, as far as they are of interest here. */
const openCommands = ({ organizationId, deviceId }: ExecuteInput) =>
  sql`select id from device_commands where organization_id = ${organizationId} and device_id = ${deviceId}
    and status in ('queued', 'claimed', 'running') limit ${sql.lit(MOST_OPEN)}`;

/** @throws TOO_MANY_REQUESTS `queue_full` */
async function checkQueue({ database }: Services, input: ExecuteInput): Promise<void> {
  const { rows } = await openCommands(input).execute(database.db);
  if (rows.length < MOST_OPEN) return;
  throw new GroveError(
    "TOO_MANY_REQUESTS",
    `The device ${input.deviceId} has ${MOST_OPEN} commands to do already, which is the most. Wait until it has done some, or cancel what is not needed any more.`,
    { reason: "queue_full", details: { open: MOST_OPEN } },
  );
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
  const owner = ownerOf(principal);
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
  if (row && row.idempotency_hash !== hashOf(input))
    throw new GroveError(
      "CONFLICT",
      `The idempotency key "${input.idempotencyKey}" stands for another command, ${row.id}. Use a new key.`,
      { reason: "idempotency_key_reused", details: { commandId: row.id } },
    );
  return row;
}
