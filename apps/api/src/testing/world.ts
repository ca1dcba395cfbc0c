import { newId } from "@grove/db";
import { sql } from "kysely";
import { addMember, projectFields } from "./fixtures";
import { adminDomain, type TestServer } from "./server";

/** Everyone there is, each with the credential they would present. */
export const identities = [
  "nobody",
  "stranger",
  "siteAdmin",
  "member",
  "admin",
  "owner",
  "readKey",
  "writeKey",
  "expiredKey",
  "revokedKey",
  "device",
  "strangersDevice",
] as const;
type Identity = (typeof identities)[number];

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * One organization with everyone in it, another one next to it, and makers of rows in the first. The keys are the
 * member's; the device is the member's, too.
 */
export async function createWorld(server: TestServer) {
  const [stranger, siteAdmin, member, admin, owner] = await Promise.all(
    ["Stranger", "Site admin", "Member", "Admin", "Owner"].map((name) => server.signUp(name)),
  );
  if (!stranger || !siteAdmin || !member || !admin || !owner) throw new Error("sign-up made nobody");
  const { organizationId } = owner;
  await addMember(server, organizationId, member, "member");
  await addMember(server, organizationId, admin, "admin");
  const { db } = server.database;
  await db
    .updateTable("users")
    .set({ email: `root-${newId()}@${adminDomain}`, email_verified_at: new Date() })
    .where("id", "=", siteAdmin.user.id)
    .execute();

  const key = async (scopes: ("read" | "write")[]) =>
    member.client.apiKey.create.mutate({ organizationId, name: "matrix", scopes });
  const [readKey, writeKey, expiredKey, revokedKey] = await Promise.all([
    key(["read"]),
    key(["read", "write"]),
    key(["read", "write"]),
    key(["read", "write"]),
  ]);
  await sql`update api_keys set expires_at = now() - interval '1 second' where id = ${expiredKey.id}`.execute(
    db,
  );
  await member.client.apiKey.revoke.mutate({ organizationId, id: revokedKey.id });

  const device = await member.client.device.register.mutate({
    organizationId,
    name: "members",
    platform: "linux",
  });
  const strangersDevice = await stranger.client.device.register.mutate({
    organizationId: stranger.organizationId,
    name: "strangers",
    platform: "mac",
  });

  const tokens: Record<Identity, string | undefined> = {
    nobody: undefined,
    stranger: stranger.token,
    siteAdmin: siteAdmin.token,
    member: member.token,
    admin: admin.token,
    owner: owner.token,
    readKey: readKey.key,
    writeKey: writeKey.key,
    expiredKey: expiredKey.key,
    revokedKey: revokedKey.key,
    device: device.apiKey,
    strangersDevice: strangersDevice.apiKey,
  };

  const project = await owner.client.project.create.mutate({ organizationId, ...projectFields() });
  const journalId = newId();

  return {
    server,
    organizationId,
    tokens,
    stranger,
    member,
    owner,
    device,
    strangersDevice,
    project,
    journalId,
    /** A workspace that the member created. */
    workspace: () =>
      member.client.workspace.create.mutate({
        organizationId,
        projectId: project.id,
        name: "matrix",
        type: "worktree",
        config: {},
      }),
    /** A project to be deleted. */
    newProject: () => owner.client.project.create.mutate({ organizationId, ...projectFields() }),
    /** A secret of the world's project, to be deleted. */
    secret: async () => {
      const secret = { projectId: project.id, key: `S_${newId().replaceAll("-", "").toUpperCase()}` };
      await owner.client.project.setSecret.mutate({ organizationId, ...secret, value: "hunter2" });
      return secret;
    },
    /** A device of the member's, to be revoked. */
    newDevice: () =>
      member.client.device.register.mutate({ organizationId, name: "another", platform: "linux" }),
    /** A key of the member's, to be revoked. */
    apiKey: () => key(["read"]),
    /** A command of the member's that the member's device has claimed. */
    command: async () => {
      const id = newId();
      await db
        .insertInto("device_commands")
        .values({
          id,
          organization_id: organizationId,
          device_id: device.id,
          tool: "list_projects",
          params: "{}",
          status: "claimed",
          journal_id: journalId,
          claimed_at: new Date(),
          requested_by: member.user.id,
          principal: `user:${member.user.id}`,
          timeout_ms: 60_000,
          queue_expires_at: new Date(Date.now() + 60_000),
        })
        .execute();
      return { id };
    },
  };
}
