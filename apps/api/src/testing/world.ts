import { newId } from "@grove/db";
import { gitHubToken, linearToken, slackToken } from "@grove/integrations/testing";
import { addMember, insertDelivery, projectFields } from "./fixtures";
import { createIdentities } from "./identities";
import { rowInserters } from "./rowInserters";
import type { TestServer } from "./server";

export type World = Awaited<ReturnType<typeof createWorld>>;

/**
 * One organization with every kind of caller, another one next to it, and makers of rows in the first. The keys and the
 * device are the member's.
 */
export async function createWorld(server: TestServer) {
  const { organizationId, tokens, stranger, member, admin, owner, device, strangersDevice, key } =
    await createIdentities(server);
  const { db } = server.database;
  const project = await owner.client.project.create.mutate({ organizationId, ...projectFields() });
  const journalId = newId();
  const rows = rowInserters(db, {
    organizationId,
    projectId: project.id,
    userId: member.user.id,
    deviceId: device.id,
    journalId,
  });

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
    ...rows,
    /** A notification rule of the member's. */
    notificationRule: async () => {
      const [rule] = await member.client.user.setNotificationRules.mutate({
        organizationId,
        rules: [{ channel: "push", kinds: ["needs_input"] }],
      });
      return rule?.id ?? "";
    },
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
    /** A secret of a separate project, for tests that delete it. */
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
    /** A comment of the member's. */
    comment: async () => {
      const task = await member.client.task.create.mutate({ organizationId, title: "Matrix" });
      const input = { organizationId, id: task.id, body: "Matrix" };
      const { id } = await member.client.task.addComment.mutate(input);
      return { id };
    },
    /** A chat session of the member's. */
    chatSession: () => member.client.chat.createSession.mutate({ organizationId }),
    /** Makes another organization with the same owner, admin and member, who will leave it. */
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
    /** A workspace on the member's device, and a start_agent_session in it that the device has claimed. */
    startingSession: async () => {
      const id = newId();
      await server.client(device.apiKey).workspace.ensure.mutate({
        organizationId,
        project: { ...projectFields(project.slug) },
        workspace: { id, name: "matrix", type: "worktree", config: {} },
      });
      const { id: commandId } = await rows.command("start_agent_session", {
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
    /** A settled command. */
    settledCommand: async () => {
      const { id } = await rows.command();
      await server.client(device.apiKey).agent.complete.mutate({ id, journalId, result: { projects: [] } });
      return { id };
    },
  };
}
