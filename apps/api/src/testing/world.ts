import { newId } from "@grove/db";
import { gitHubToken, linearToken, slackToken } from "@grove/integrations/testing";
import { addMember, insertDelivery, projectFields } from "./fixtures";
import { createIdentities } from "./identities";
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
    /** A change of the member's. */
    change: async () => {
      const id = newId();
      await db
        .insertInto("changes")
        .values({ id, organization_id: organizationId, project_id: project.id, branch: "matrix" })
        .execute();
      return { id };
    },
    /** A draft of the member's on a change. */
    reviewComment: async () => {
      const [id, changeId] = [newId(), newId()];
      const change = {
        id: changeId,
        organization_id: organizationId,
        project_id: project.id,
        branch: "matrix",
      };
      await db.insertInto("changes").values(change).execute();
      const anchor = JSON.stringify({});
      const draft = { id, change_id: changeId, author_id: member.user.id, body: "Matrix", anchor };
      await db
        .insertInto("review_comments")
        .values({ ...draft, organization_id: organizationId })
        .execute();
      return { id };
    },
    /** A comment of the member's. */
    comment: async () => {
      const task = await member.client.task.create.mutate({ organizationId, title: "Matrix" });
      const input = { organizationId, id: task.id, body: "Matrix" };
      const { id } = await member.client.task.addComment.mutate(input);
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
    /** A request for permission that a running agent session of the member's has open. */
    agentRequest: async () => {
      const [id, sessionId] = [newId(), newId()];
      const shared = { organization_id: organizationId, device_id: device.id };
      await db
        .insertInto("agent_sessions")
        .values({ ...shared, id: sessionId, agent: "matrix", started_by: member.user.id })
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
