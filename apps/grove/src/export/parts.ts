import { allOf, type Client } from "@grove/client";

/** The parts of an organization, in the order of the file, as far as the caller may read them. */
export const partsOf = (client: Client, organizationId: string): Record<string, AsyncIterable<object>> => {
  const own = { organizationId };
  return {
    members: allOf((page) => client.organization.listMembers.query({ ...own, ...page })),
    invitations: allOf((page) => client.organization.listInvitations.query({ ...own, ...page })),
    apiKeys: allOf((page) => client.apiKey.list.query({ ...own, ...page })),
    devices: allOf((page) => client.device.list.query({ ...own, ...page })),
    projects: projects(client, organizationId),
    workspaces: allOf((page) => client.workspace.list.query({ ...own, ...page })),
    taskStatuses: each(() => client.task.listStatuses.query(own)),
    tasks: allOf((page) => client.task.list.query({ ...own, ...page })),
    agentSessions: allOf((page) => client.agent.listSessions.query({ ...own, ...page })),
    commands: allOf((page) => client.agent.listCommands.query({ ...own, ...page })),
    chats: allOf((page) => client.chat.listSessions.query({ ...own, ...page })),
    chatMessages: chatMessages(client, organizationId),
    connections: allOf((page) => client.integration.list.query({ ...own, ...page })),
    deliveries: allOf((page) => client.integration.listEvents.query({ ...own, ...page })),
    auditEvents: allOf((page) => client.organization.listAuditEvents.query({ ...own, ...page })),
  };
};

async function* each<Item>(list: () => Promise<Item[]>): AsyncGenerator<Item> {
  yield* await list();
}

/** Projects, each with the names of its secrets. */
async function* projects(client: Client, organizationId: string) {
  for await (const project of allOf((page) => client.project.list.query({ organizationId, ...page }))) {
    const secrets = await client.project.listSecrets.query({ organizationId, projectId: project.id });
    yield { ...project, secretNames: secrets.map(({ key }) => key) };
  }
}

async function* chatMessages(client: Client, organizationId: string) {
  for await (const { id } of allOf((page) => client.chat.listSessions.query({ organizationId, ...page })))
    for await (const message of allOf((page) =>
      client.chat.listMessages.query({ organizationId, sessionId: id, ...page }),
    ))
      yield { chatId: id, ...message };
}
