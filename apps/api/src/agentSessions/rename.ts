import { recordAudit, type UserPrincipal } from "@grove/auth";
import type { AgentSession } from "@grove/schemas";
import { sql } from "kysely";
import type { Services } from "../services";
import { readControlledSession } from "./control";
import { toAgentSession } from "./row";

/**
 * Renames a running or ended session. For users who may stop it.
 * @throws {GroveError} NOT_FOUND; FORBIDDEN `device_owner_required`, `role_required`
 */
export const renameSession = (
  { database }: Pick<Services, "database">,
  principal: UserPrincipal,
  { organizationId, id, name }: { organizationId: string; id: string; name: string },
): Promise<AgentSession> =>
  database.db.transaction().execute(async (trx) => {
    await readControlledSession(trx, principal, { organizationId, id });
    const row = await trx
      .updateTable("agent_sessions")
      .set({ name, renamed_at: sql<string>`now()` })
      .where("organization_id", "=", organizationId)
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    // Without the name, which is deleted with the session.
    const target = { type: "agent_session", id };
    await recordAudit(trx, principal, { organizationId, action: "agent.renameSession", target });
    return toAgentSession(row, true);
  });
