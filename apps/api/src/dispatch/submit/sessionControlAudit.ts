import { createHash } from "node:crypto";
import type { Database } from "@grove/db";
import { HOUR_MS } from "@grove/schemas";
import { type Kysely, sql } from "kysely";
import type { CommandRow } from "../command";

/** The tools that act on a running session, and the actions of their audit events. */
const actions = new Map([
  ["send_agent_input", "agent.sendInput"],
  ["release_agent_request", "agent.releaseRequest"],
  ["resize_agent_session", "agent.resizeSession"],
  ["stop_agent_session", "agent.stopSession"],
]);
/** How many events this process caches, so that not every keystroke needs a statement. */
const MAX_CACHED = 10_000;

/** Audits typing into, resizing and stopping agent sessions: one event per actor, session, action and hour. */
export class SessionControlAudit {
  readonly #recentlyRecorded = new Set<string>();

  async record(db: Kysely<Database>, row: CommandRow): Promise<void> {
    const action = actions.get(row.tool);
    const session = row.params.sessionId;
    if (action === undefined || typeof session !== "string") return;
    const hour = Math.floor(Date.now() / HOUR_MS);
    const id = idOf([row.organization_id, action, session, row.principal, hour]);
    if (this.#recentlyRecorded.has(id)) return;
    const [kind, actor] = row.principal.split(":");
    await sql`insert into audit_events
        (id, organization_id, actor_kind, actor_id, action, target_type, target_id, metadata)
      select ${id}::uuid, ${row.organization_id}::uuid, ${kind}, ${actor}::uuid, ${action}, 'agent_session', id::text,
        ${JSON.stringify({ commandId: row.id })}::jsonb
      from agent_sessions where organization_id = ${row.organization_id}::uuid and id::text = ${session}
      on conflict (id) do nothing`.execute(db);
    if (this.#recentlyRecorded.size >= MAX_CACHED) this.#recentlyRecorded.clear();
    this.#recentlyRecorded.add(id);
  }
}

/** The same event of the same hour has the same id, whichever process records it. */
function idOf(parts: readonly unknown[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  // UUID version 8 (RFC 9562): a custom format.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
