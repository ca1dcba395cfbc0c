import { newId } from "@grove/db";
import type { Anchor, ReviewRoundContent } from "@grove/schemas";
import { afterEach } from "vitest";
import { begin, connectDevice, type TestDevice, untilStatus } from "../testing/device";
import { projectFields } from "../testing/fixtures";
import type { Person, TestServer } from "../testing/server";

export const anchor = {
  point: "a".repeat(40),
  blob: "b".repeat(40),
  path: "src/login.ts",
  side: "after" as const,
  from: 3,
  to: 4,
};

/** The only commit in the history of the workspace. */
export const COMMIT = "c".repeat(40);

/** A restore point that the device no longer has. */
export const GONE_POINT = "d".repeat(40);

type Outcome = { result: { bytes: number } } | { error: { reason: string; message: string } };

/** Machines of a user with a workspace, its change and a running agent session. */
export function useReviewedMachine(server: TestServer, owner: Person) {
  const { organizationId, client } = owner;
  const { db } = server.database;
  const connected: TestDevice[] = [];
  afterEach(() => {
    for (const device of connected.splice(0)) device.disconnect();
  });

  const find = (commit: string) =>
    COMMIT.startsWith(commit)
      ? { result: { commit: COMMIT } }
      : { error: { reason: "commit_unknown", message: `No ${commit}.` } };

  const keep = (point: string) =>
    point === GONE_POINT
      ? { error: { reason: "point_gone", message: `No ${point}. Choose another.` } }
      : { result: { success: true } };

  /**
   * @param outcome of a round
   * @param beforeFound runs before the device returns a commit
   */
  async function machine(
    outcome: () => Outcome = () => ({ result: { bytes: 100 } }),
    beforeFound: () => Promise<unknown> = async () => undefined,
  ) {
    const { id: deviceId, apiKey } = await client.device.register.mutate({
      organizationId,
      name: "a",
      platform: "linux",
    });
    const rounds: ReviewRoundContent[] = [];
    const device = connectDevice(server.url, apiKey, {
      capabilities: ["send_review_round", "find_commit", "mark_seen"],
      run: async ({ id, tool, params }, self) => {
        await begin({ id }, self);
        const { journalId } = self;
        if (tool === "send_review_round") rounds.push((params as { round: ReviewRoundContent }).round);
        if (tool === "find_commit") await beforeFound();
        const answer =
          tool === "find_commit"
            ? find((params as { commit: string }).commit)
            : tool === "mark_seen"
              ? keep((params as { point: string }).point)
              : outcome();
        await self.client.agent.complete.mutate({ id, journalId, ...answer });
      },
    });
    connected.push(device);
    await untilStatus(client, organizationId, deviceId, "online");
    const workspaceId = newId();
    await device.client.workspace.ensure.mutate({
      organizationId,
      project: projectFields(),
      workspace: {
        id: workspaceId,
        name: "tree",
        type: "worktree",
        config: { branchName: `login-${newId()}` },
      },
    });
    const [change] = await client.workspace.change.list.query({ organizationId, workspaceId });
    const changeId = change?.id ?? "";
    const sessionId = newId();
    await db
      .insertInto("agent_sessions")
      .values({
        id: sessionId,
        organization_id: organizationId,
        device_id: deviceId,
        workspace_id: workspaceId,
        agent: "claude",
        status: "running",
      })
      .execute();
    const save = (
      body: string,
      { id = newId(), by = client, on = anchor }: { id?: string; by?: typeof client; on?: Anchor } = {},
    ) => by.workspace.review.save.mutate({ organizationId, changeId, id, anchor: on, body });
    const list = (by = client) => by.workspace.review.list.query({ organizationId, changeId });
    const send = (more: { ids?: string[]; again?: boolean } = {}, by = client) =>
      by.workspace.review.send.mutate({ organizationId, changeId, sessionId, ...more });
    return { device, deviceId, workspaceId, changeId, sessionId, rounds, save, list, send };
  }

  return { machine };
}
