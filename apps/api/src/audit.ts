import type { Principal } from "@grove/auth";
import { type Database, newId } from "@grove/db";
import type { Transaction } from "kysely";

/** What happened, to what. Metadata never holds a secret. */
interface AuditEntry {
  organizationId: string;
  /** `<router>.<procedure>` or what else changed it. */
  action: string;
  target: { type: string; id: string };
  metadata?: Record<string, unknown>;
}

const actorOf = (principal: Principal) =>
  principal.kind === "device"
    ? { actor_kind: "device" as const, actor_id: principal.deviceId }
    : principal.kind === "api_key"
      ? { actor_kind: "api_key" as const, actor_id: principal.keyId }
      : { actor_kind: "user" as const, actor_id: principal.user.id };

/** Records a change of membership, key, device or deletion, in the transaction that makes it. */
export async function recordAudit(
  trx: Transaction<Database>,
  principal: Principal,
  { organizationId, action, target, metadata = {} }: AuditEntry,
): Promise<void> {
  await trx
    .insertInto("audit_events")
    .values({
      id: newId(),
      organization_id: organizationId,
      ...actorOf(principal),
      action,
      target_type: target.type,
      target_id: target.id,
      metadata: JSON.stringify(metadata),
    })
    .execute();
}
