import type { Anchor } from "@grove/schemas";
import type { Tenant } from "@grove/test-api";
import { ask, onlineDevice, orchard } from "./tool";

export const lines = {
  point: "a".repeat(40),
  blob: "b".repeat(40),
  path: "src/login.ts",
  side: "after" as const,
  from: 3,
  to: 4,
};

/** The only commit in the history of the workspace. */
export const COMMIT = "c".repeat(40);

/** A workspace on a device, with an agent session that the tenant's key has started, and comments sent to it. */
export async function reviewedWorkspace(tenant: Tenant, bodies: readonly string[], anchor: Anchor = lines) {
  const { client, organizationId } = tenant;
  const { device } = await onlineDevice(tenant, async ({ id, tool, params }, self) => {
    if (tool === "find_commit")
      return COMMIT.startsWith(`${params.commit}`)
        ? { result: { commit: COMMIT } }
        : { error: { reason: "commit_unknown", message: `The commit ${params.commit} is not there.` } };
    if (tool === "send_review_round") return { result: { bytes: 1 } };
    const session = await self.beginSession(`${params.workspaceId}`, id);
    return { result: { sessionId: session.id, agent: "claude", pid: 7 } };
  });
  const workspaceId = await device.makeWorkspace(organizationId, orchard);
  const start = { deviceId: device.id, workspaceId, prompt: "do it" };
  const { data } = await ask(tenant, "start_agent_session", start);
  const [change] = await client.workspace.change.list.query({ organizationId, workspaceId });
  const changeId = `${change?.id}`;
  const ids: string[] = [];
  for (const body of bodies) {
    const draft = { organizationId, changeId, id: crypto.randomUUID(), anchor, body };
    ids.push((await client.workspace.review.save.mutate(draft)).id);
  }
  if (ids.length > 0)
    await client.workspace.review.send.mutate({ organizationId, changeId, sessionId: `${data?.sessionId}` });
  return { workspaceId, changeId, ids };
}
