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

/** Who did it. Someone who is only just signing up has no principal yet. */
export type Actor = Principal | { kind: "user"; userId: string };

const actorOf = (actor: Actor) =>
  actor.kind === "device"
    ? { actor_kind: "device" as const, actor_id: actor.deviceId }
    : actor.kind === "api_key"
      ? { actor_kind: "api_key" as const, actor_id: actor.keyId }
      : { actor_kind: "user" as const, actor_id: actor.kind === "user" ? actor.userId : actor.user.id };

/** Records a change of membership, key, device or deletion, in the transaction that makes it. */
export async function recordAudit(
  trx: Transaction<Database>,
  actor: Actor,
  { organizationId, action, target, metadata = {} }: AuditEntry,
): Promise<void> {
  await trx
    .insertInto("audit_events")
    .values({
      id: newId(),
      organization_id: organizationId,
      ...actorOf(actor),
      action,
      target_type: target.type,
      target_id: target.id,
      metadata: JSON.stringify(metadata),
    })
    .execute();
}
