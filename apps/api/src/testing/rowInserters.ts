import { type Database, newId } from "@grove/db";
import type { Kysely } from "kysely";

/** The owners of the rows. */
interface Owners {
  organizationId: string;
  projectId: string;
  userId: string;
  deviceId: string;
  journalId: string;
}

/** Returns functions that insert rows directly, which needs neither a connected device nor a code host. */
export function rowInserters(
  db: Kysely<Database>,
  { organizationId, projectId, userId, deviceId, journalId }: Owners,
) {
  return {
    /** A command of the member's that the member's device has claimed. */
    command: async (tool = "list_projects", params: object = {}) => {
      const id = newId();
      await db
        .insertInto("device_commands")
        .values({
          id,
          organization_id: organizationId,
          device_id: deviceId,
          tool,
          params: JSON.stringify(params),
          status: "claimed",
          journal_id: journalId,
          claimed_at: new Date(),
          requested_by: userId,
          principal: `user:${userId}`,
          timeout_ms: 60_000,
          queue_expires_at: new Date(Date.now() + 60_000),
        })
        .execute();
      return { id };
    },
    /** A change of the member's. */
    change: async () => {
      const id = newId();
      await db
        .insertInto("changes")
        .values({ id, organization_id: organizationId, project_id: projectId, branch: "matrix" })
        .execute();
      return { id };
    },
    /** A draft of the member's on a change. */
    reviewComment: async () => {
      const [id, changeId] = [newId(), newId()];
      const change = {
        id: changeId,
        organization_id: organizationId,
        project_id: projectId,
        branch: "matrix",
      };
      await db.insertInto("changes").values(change).execute();
      const anchor = JSON.stringify({});
      const draft = { id, change_id: changeId, author_id: userId, body: "Matrix", anchor };
      await db
        .insertInto("review_comments")
        .values({ ...draft, organization_id: organizationId })
        .execute();
      return { id };
    },
    /** A status that no task has. */
    taskStatus: async () => {
      // Written past the API, which limits how many an organization has.
      const status = { key: `matrix_${newId().replaceAll("-", "_")}`, name: "Matrix", color: "#000000" };
      await db
        .insertInto("task_statuses")
        .values({ organization_id: organizationId, ...status, type: "started", position: 99 })
        .execute();
      return status;
    },
    /** An agent session of the member's, which has ended, on the member's device. */
    agentSession: async (status: "running" | "exited" = "exited") => {
      const id = newId();
      await db
        .insertInto("agent_sessions")
        .values({
          organization_id: organizationId,
          id,
          device_id: deviceId,
          agent: "matrix",
          status,
          started_by: userId,
          ended_at: status === "running" ? null : new Date(),
        })
        .execute();
      return { id };
    },
    /** A request for permission that a running agent session of the member's has open. */
    agentRequest: async () => {
      const [id, sessionId] = [newId(), newId()];
      const shared = { organization_id: organizationId, device_id: deviceId };
      await db
        .insertInto("agent_sessions")
        .values({ ...shared, id: sessionId, agent: "matrix", started_by: userId })
        .execute();
      await db
        .insertInto("agent_requests")
        .values({
          ...shared,
          id,
          session_id: sessionId,
          kind: "permission",
          tool: "Bash",
          title: "Bash: ls",
          input: "ls",
          is_answerable: true,
          scopes: ["once"],
          created_at: new Date(),
          expires_at: new Date(Date.now() + 60_000),
        })
        .execute();
      return { id };
    },
    /** A user without any organization, to be disabled or deleted. */
    newUser: async () => {
      const id = newId();
      await db
        .insertInto("users")
        .values({ id, email: `${id}@example.com`, name: "New" })
        .execute();
      return { id };
    },
  };
}
