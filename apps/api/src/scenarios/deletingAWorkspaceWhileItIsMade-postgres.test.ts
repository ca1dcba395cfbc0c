import { newId } from "@grove/db";
import { expect, it } from "vitest";
import { projectFields } from "../testing/fixtures";
import { watchLocks } from "../testing/locks";
import { stockClient, useTestServer } from "../testing/server";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;

it("leaves nothing of a workspace that its device deletes while it is still being registered", async () => {
  const { apiKey } = await ada.client.device.register.mutate({
    organizationId,
    name: "a",
    platform: "linux",
  });
  const device = stockClient(server.url, apiKey);
  const project = projectFields();
  const { id: projectId } = await ada.client.project.create.mutate({ organizationId, ...project });
  const id = newId();
  const workspace = { id, name: "otter", type: "worktree" as const, config: {} };
  const { ensuring, deleting } = await db.transaction().execute(async (trx) => {
    await trx.selectFrom("projects").select("id").where("id", "=", projectId).forUpdate().execute();
    const ensuring = device.workspace.ensure.mutate({ organizationId, project, workspace });
    await watchLocks(db).untilLocked("projects");
    const deleting = device.workspace.delete.mutate({ organizationId, id });
    await watchLocks(db).untilLocked("pg_advisory_xact_lock");
    return { ensuring, deleting };
  });
  expect(await ensuring).toMatchObject({ workspaceId: id });
  expect(await deleting).toMatchObject({ success: true });
  expect(await ada.client.workspace.list.query({ organizationId })).toEqual([]);
});
