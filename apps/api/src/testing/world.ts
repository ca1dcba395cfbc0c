import { newId } from "@grove/db";
import { gitHubToken, linearToken, slackToken } from "@grove/integrations/testing";
import { sql } from "kysely";
import { addMember, insertDelivery, makeSiteAdmin, projectFields } from "./fixtures";
import type { TestServer } from "./server";

/** All kinds of callers, each with the credential they would present. */
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
 * One organization with every kind of caller, another one next to it, and makers of rows in the first. The keys and the
 * device are the member's.
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
  await makeSiteAdmin(server, siteAdmin);

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

  const makeCommand = async (tool = "list_projects", params: object = {}) => {
    const id = newId();
    await db
      .insertInto("device_commands")
      .values({
        id,
        organization_id: organizationId,
        device_id: device.id,
        tool,
        params: JSON.stringify(params),
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
  };

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
    /** A secret of a project of its own, to be deleted. */
    secret: async () => {
      const { id } = await owner.client.project.create.mutate({ organizationId, ...projectFields() });
      const secret = { projectId: id, key: "TOKEN" };
      await owner.client.project.setSecret.mutate({ organizationId, ...secret, value: "hunter2" });
      return secret;
    },
    /** A device of the member's, to be revoked. */
    newDevice: () =>
      member.client.device.register.mutate({ organizationId, name: "another", platform: "linux" }),
    /** A machine that waits for approval. */
    pairing: () =>
      member.client.device.requestPairing.mutate({
        name: "machine",
        platform: "linux",
        agentVersion: "1.0.0",
      }),
    /** A registration of the member's. */
    registration: () => member.client.device.createRegistration.mutate({ organizationId }),
    /** A task of the member's. */
    task: () => member.client.task.create.mutate({ organizationId, title: "Matrix" }),
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
    /** A chat session of the member's. */
    chatSession: () => member.client.chat.createSession.mutate({ organizationId }),
    /** Another organization with the same owner, admin and member, to be left. */
    secondOrganization: async () => {
      const { id } = await owner.client.organization.create.mutate({ name: "Second" });
      await addMember(server, id, member, "member");
      await addMember(server, id, admin, "admin");
      return { id };
    },
    /** The public id of a new session of the member's. */
    session: async () => {
      const { sessionId } = await server.signIn(member.user.email);
      return sessionId;
    },
    /** One more member, to be promoted or removed. */
    newMember: async () => {
      const userId = newId();
      const user = { id: userId, email: `${userId}@example.com` };
      await db
        .insertInto("users")
        .values({ ...user, name: "New" })
        .execute();
      await addMember(server, organizationId, { user }, "member");
      return { userId };
    },
    /** An open invitation by the owner. */
    invitation: (email = `${newId()}@example.com`) =>
      owner.client.organization.invite.mutate({ organizationId, email, role: "member" }),
    /** A key of the member's, to be revoked. */
    apiKey: () => key(["read"]),
    /** An agent session of the member's, which has ended, on the member's device. */
    agentSession: async (status: "running" | "exited" = "exited") => {
      const id = newId();
      await db
        .insertInto("agent_sessions")
        .values({
          organization_id: organizationId,
          id,
          device_id: device.id,
          agent: "matrix",
          status,
          started_by: member.user.id,
          ended_at: status === "running" ? null : new Date(),
        })
        .execute();
      return { id };
    },
    /** A workspace on the member's device, and a start_agent_session in it that the device has claimed. */
    startingSession: async () => {
      const id = newId();
      await server.client(device.apiKey).workspace.ensure.mutate({
        organizationId,
        project: { ...projectFields(project.slug) },
        workspace: { id, name: "matrix", type: "worktree", config: {} },
      });
      const { id: commandId } = await makeCommand("start_agent_session", {
        workspaceId: id,
        prompt: "matrix",
      });
      return { commandId, workspaceId: id };
    },
    /** The input for integration.connect to reach the fake code host. */
    gitHub: { provider: "github" as const, token: gitHubToken },
    /** A connection of the organization, to the fake that the server's configuration names. */
    connection: (provider: "github" | "linear" | "slack") =>
      owner.client.integration.connect.mutate({
        organizationId,
        provider,
        token: { github: gitHubToken, linear: linearToken, slack: slackToken }[provider],
      }),
    /** A delivery that was given up. */
    deadEvent: async () => ({ id: await insertDelivery(server, organizationId, "dead") }),
    /** A webhook at the fake code host. */
    webhook: async () => {
      const { id: connectionId } = await owner.client.integration.connect.mutate({
        organizationId,
        provider: "github",
        token: gitHubToken,
      });
      return owner.client.integration.codehost.createWebhook.mutate({
        organizationId,
        connectionId,
        repoOwner: "octocat",
        repoName: "Hello-World",
        events: ["push"],
      });
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
    /** A command of the member's that the member's device has claimed. */
    command: () => makeCommand(),
    /** A settled command. */
    settledCommand: async () => {
      const { id } = await makeCommand();
      await server.client(device.apiKey).agent.complete.mutate({ id, journalId, result: { projects: [] } });
      return { id };
    },
  };
}
