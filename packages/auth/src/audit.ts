import { type Database, newId } from "@grove/db";
import type { Transaction } from "kysely";
import type { Principal } from "./principals/principal";

/** An action and its target. Metadata never holds a secret. */
interface AuditEntry {
  organizationId: string;
  /** `<router>.<procedure>`, or a name for a change that no procedure makes. */
  action: string;
  target: { type: string; id: string };
  metadata?: Record<string, unknown>;
}

/** The actor. A person who is signing up has no principal yet; `system` is Grove itself. */
export type Actor = Principal | { kind: "user"; userId: string } | { kind: "system" };

/** The actor and the action that revoked something. */
export interface Cause {
  actor: Actor;
  action: string;
}

function actorOf(actor: Actor) {
  switch (actor.kind) {
    case "system":
      return { actor_kind: "system" as const, actor_id: null };
    case "device":
      return { actor_kind: "device" as const, actor_id: actor.deviceId };
    case "api_key":
      return { actor_kind: "api_key" as const, actor_id: actor.keyId };
    case "user":
      return { actor_kind: "user" as const, actor_id: actor.userId };
    case "session":
      return { actor_kind: "user" as const, actor_id: actor.user.id };
  }
}

/** The most rows of one insert: PostgreSQL takes 65,535 parameters. */
const BATCH = 1_000;

/**
 * Records changes of membership, role, key, secret, integration, device, project or deletion, in the transaction that
 * makes them.
 */
export async function recordAudit(
  trx: Transaction<Database>,
  actor: Actor,
  ...entries: AuditEntry[]
): Promise<void> {
  const rows = entries.map(({ organizationId, action, target, metadata = {} }) => ({
    id: newId(),
    organization_id: organizationId,
    ...actorOf(actor),
    action,
    target_type: target.type,
    target_id: target.id,
    metadata: JSON.stringify(metadata),
  }));
  for (let at = 0; at < rows.length; at += BATCH)
    await trx
      .insertInto("audit_events")
      .values(rows.slice(at, at + BATCH))
      .execute();
}
