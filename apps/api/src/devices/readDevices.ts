import type { Device, DeviceGetInput, DeviceListInput } from "@grove/schemas";
import { notFound } from "../lib/notFound";
import { newestFirst } from "../lib/pagination";
import type { Services } from "../services";
import { isOnline } from "./presence";
import { deviceColumns, toDevice } from "./row";

/** Reads a page of an organization's devices, newest first. */
export async function listDevices(
  { database }: Pick<Services, "database">,
  input: DeviceListInput,
): Promise<Device[]> {
  const { db } = database;
  const { organizationId, includeRevoked, status } = input;
  let query = db.selectFrom("devices").select(deviceColumns).where("organization_id", "=", organizationId);
  if (!includeRevoked) query = query.where("revoked_at", "is", null);
  if (status) query = query.where(isOnline, "=", status === "online");
  return (await newestFirst(db, "devices", query, input)).map(toDevice);
}

/**
 * Reads a device.
 * @throws {GroveError} NOT_FOUND
 */
export async function readDevice(
  { database }: Pick<Services, "database">,
  { organizationId, id }: DeviceGetInput,
): Promise<Device> {
  const row = await database.db
    .selectFrom("devices")
    .select(deviceColumns)
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound("device", id);
  return toDevice(row);
}
