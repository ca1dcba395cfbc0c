import { type Actor, createSecret, recordAudit } from "@grove/auth";
import type { Database, DeviceTable } from "@grove/db";
import type { Device } from "@grove/schemas";
import type { Insertable, Transaction } from "kysely";
import type { Services } from "../services";
import { deviceColumns, toDevice } from "./row";

type NewDevice = Omit<Insertable<DeviceTable>, "key_hash" | "key_prefix">;

/**
 * Makes a device and its key, which only this response has.
 * @throws {GroveError} PRECONDITION_FAILED `quota_exceeded`
 */
export async function insertDevice(
  trx: Transaction<Database>,
  { quotas }: Pick<Services, "quotas">,
  actor: Actor,
  values: NewDevice,
): Promise<Device & { apiKey: string }> {
  await quotas.take(trx, "devices", values.organization_id);
  const { secret, hash, prefix } = createSecret("device");
  const row = await trx
    .insertInto("devices")
    .values({ ...values, key_prefix: prefix, key_hash: hash })
    .returning(deviceColumns)
    .executeTakeFirstOrThrow();
  await recordAudit(trx, actor, {
    organizationId: row.organization_id,
    action: "device.register",
    target: { type: "device", id: row.id },
    metadata: { name: row.name, platform: row.platform },
  });
  return { ...toDevice(row), apiKey: secret };
}
