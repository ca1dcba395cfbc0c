import { type DevicePrincipal, GroveError, recordAudit } from "@grove/auth";
import { type Database, deviceNotification, type SettledCommand, settleCommands } from "@grove/db";
import type { DeviceConnectInput } from "@grove/schemas";
import { type Kysely, sql, type Transaction } from "kysely";
import { isHeldByInstance } from "../../devices/presence";
import type { Services } from "../../services";
import { isOutdated, refuseOutdated } from "./agentVersion";
import { failSessions } from "./failSessions";

/** How long a device that was online has for the first heartbeat of its new stream. */
const BETWEEN_STREAMS = sql`interval '20 seconds'`;

/** The epoch of a device's new stream, and the lease under which it was made the newest. */
interface Opened {
  epoch: number;
  leaseId: string;
}

interface Connected {
  epoch: number;
  takesTurns: boolean;
  /** Why the journal may lack commands that were begun; null if it is complete. */
  gap: Gap | null;
}

/**
 * Why the journal and the database disagree.
 * - `replaced`: another journal (a copied or restored home, or a second machine on the key).
 * - `rolled_back`: the same journal in an older state (a restored snapshot, or a copied machine). It lacks the epoch of
 *   a stream that the device had answered.
 * - `database_restored`: the journal has the epoch of a stream that the database does not know.
 */
type Gap = keyof typeof gaps;

const gaps = {
  replaced: {
    reason: "device_replaced",
    cause:
      "The device connected with another journal (a copied or restored home, or a second machine on its key)",
  },
  rolled_back: {
    reason: "device_replaced",
    cause:
      "The device connected with an older state of its journal (a restored snapshot or backup, or a copied machine)",
  },
  database_restored: {
    reason: "database_restored",
    cause: "The database of this server was restored to an earlier state",
  },
} as const;

/**
 * Makes a stream the device's newest. If the device's journal may lack commands that were begun, those that the device
 * had been given become `lostCommands`: only a journal that has an entry shows whether the work was done.
 *
 * If a replaced journal reconnects within an hour, two machines share one key; that is logged and audited.
 * @throws {GroveError} PRECONDITION_FAILED `outdated_agent`, which is from then on the device's offline reason;
 * UNAUTHORIZED when the device is revoked
 */
export async function connect(
  services: Services,
  device: DevicePrincipal,
  input: DeviceConnectInput,
): Promise<Opened> {
  if (isOutdated(input.agentVersion)) await refuseOutdated(services, device, input);
  const { reserved: db } = services.database;
  const { id: leaseId } = services.lease;
  // The journal is nearly always the previous one; then this is the only statement.
  const reconnected = await becomeNewest(db, device, input, leaseId, { sameJournalOnly: true });
  if (reconnected) return { epoch: reconnected.epoch, leaseId };
  const { epoch, takesTurns, lost } = await db.transaction().execute(async (trx) => {
    const connected = await becomeNewest(trx, device, input, leaseId, { sameJournalOnly: false });
    if (!connected)
      throw new GroveError("UNAUTHORIZED", "This device is revoked. Register the machine again.");
    const lostCommands = connected.gap ? await loseUnknown(trx, device, input, connected.gap) : [];
    if (connected.takesTurns) await reportTurns(trx, device);
    return { ...connected, lost: lostCommands };
  });
  services.metrics?.settled(lost);
  if (takesTurns)
    services.log.warn(
      { deviceId: device.deviceId, journalId: input.journalId },
      "two machines take turns on one device key",
    );
  return { epoch, leaseId };
}

/** Returns undefined when the device is revoked, or had another journal and only the same one is accepted. */
async function becomeNewest(
  db: Kysely<Database>,
  device: DevicePrincipal,
  { journalId, epoch: given, agentVersion, capabilities }: DeviceConnectInput,
  instanceId: string,
  { sameJournalOnly }: { sameJournalOnly: boolean },
): Promise<Connected | undefined> {
  const epoch = sql`${given ?? null}::integer`;
  // The announcement ends an older stream on another process; this process ends its own. A device without an instance
  // has none, or one that ends with its connection; the fallback poll finds that too. Until the new stream's first
  // heartbeat is answered, a device that was online stays so for a short while, however often it connects.
  const { rows } = await sql<Connected>`
    with before as (
      select id, journal_id, case
          when journal_id <> ${journalId}::uuid then 'replaced'
          when journal_id is null then null
          when ${epoch} > epoch then 'database_restored'
          when ${epoch} < present_epoch then 'rolled_back' end as gap,
        coalesce(previous_journal_id = ${journalId}::uuid and journal_changed_at > now() - interval '1 hour', false)
          as takes_turns,
        case when ${isHeldByInstance} then now() + ${BETWEEN_STREAMS} else present_until end as bridged_until,
        coalesce(instance_id is not null or present_until > now(), false)
          and not (${isHeldByInstance} and instance_id = ${instanceId}::uuid) as is_elsewhere
      from devices
      where organization_id = ${device.organizationId} and id = ${device.deviceId} and revoked_at is null
      for update)
    update devices set epoch = greatest(epoch, ${epoch}) + 1, agent_version = ${agentVersion}, capabilities = ${capabilities}::text[],
      last_seen_at = now(), journal_id = ${journalId}::uuid, instance_id = ${instanceId}::uuid,
      present_until = before.bridged_until,
      present_epoch = case when gap is null then present_epoch end,
      previous_journal_id = case when gap is null then previous_journal_id else before.journal_id end,
      journal_changed_at = case when gap is null then journal_changed_at else now() end
    from before where devices.id = before.id and (${!sameJournalOnly}::boolean or gap is null)
    returning epoch, gap, takes_turns as "takesTurns",
      case when is_elsewhere
        then ${deviceNotification(sql`devices.id`, { kind: "epoch", value: sql`epoch` })} end as announced
  `.execute(db);
  return rows[0];
}

/**
 * Settles the commands that the device's journal may have begun without an entry: the commands that the device
 * was given, including requeued commands that wait for their journal. After a restore of the database, a command that
 * is queued may have been given to the device in the time that was lost, unless it is newer than all that were begun.
 */
async function loseUnknown(
  trx: Transaction<Database>,
  { organizationId, deviceId }: DevicePrincipal,
  { journalId, newestBegun }: DeviceConnectInput,
  gap: Gap,
): Promise<SettledCommand[]> {
  const { reason, cause } = gaps[gap];
  const isGiven = gap === "replaced" ? sql`journal_id <> ${journalId}::uuid` : sql`journal_id is not null`;
  const mayBeGiven =
    gap === "database_restored" && newestBegun
      ? sql`(${isGiven} or status = 'queued' and id <= ${newestBegun}::uuid)`
      : isGiven;
  const lostCommands = await settleCommands(trx, {
    to: "lost",
    which: sql`organization_id = ${organizationId} and device_id = ${deviceId} and ${mayBeGiven}`,
    error: {
      reason,
      message: `${cause}, so it is unknown whether this command was run. Check the machine before you run it again.`,
    },
  });
  // The sessions of the same journal are the device's own to report.
  if (gap === "replaced")
    await failSessions(trx, { organizationId, deviceId }, sql`journal_id <> ${journalId}::uuid`, {
      reason,
      message: `${cause}, so the state of the agent session is unknown. Check the machine.`,
    });
  return lostCommands;
}

/** Audits the two journals once an hour, however often they take turns. */
async function reportTurns(trx: Transaction<Database>, device: DevicePrincipal): Promise<void> {
  const { organizationId, deviceId } = device;
  const reported = await trx
    .selectFrom("audit_events")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("created_at", ">", sql<string>`now() - interval '1 hour'`)
    .where("action", "=", "device.takesTurns")
    .where("target_id", "=", deviceId)
    .limit(1)
    .executeTakeFirst();
  if (reported) return;
  await recordAudit(trx, device, {
    organizationId,
    action: "device.takesTurns",
    target: { type: "device", id: deviceId },
    metadata: {
      message: "Two machines, or two homes on one, use this device's key. Register each of them by itself.",
    },
  });
}
