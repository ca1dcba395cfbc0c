import { allOf, type Client, errorData } from "@grove/client";

/** The parts of an organization, in the order of the file, as far as the caller may read them. */
export const partsOf = (client: Client, organizationId: string): Record<string, AsyncIterable<object>> => {
  const scope = { organizationId };
  return {
    members: allOf((page) => client.organization.listMembers.query({ ...scope, ...page })),
    invitations: allOf((page) => client.organization.listInvitations.query({ ...scope, ...page })),
    apiKeys: allOf((page) => client.apiKey.list.query({ ...scope, ...page })),
    devices: allOf((page) => client.device.list.query({ ...scope, ...page })),
    projects: projects(client, organizationId),
    workspaces: allOf((page) => client.workspace.list.query({ ...scope, ...page })),
    changes: allOf((page) => client.workspace.change.list.query({ ...scope, ...page })),
    reviews: reviews(client, organizationId),
    taskStatuses: each(() => client.task.listStatuses.query(scope)),
    tasks: allOf((page) => client.task.list.query({ ...scope, ...page })),
    agentSessions: allOf((page) => client.agent.listSessions.query({ ...scope, ...page })),
    commands: allOf((page) => client.agent.listCommands.query({ ...scope, ...page })),
    chats: allOf((page) => client.chat.listSessions.query({ ...scope, ...page })),
    chatMessages: chatMessages(client, organizationId),
    connections: allOf((page) => client.integration.list.query({ ...scope, ...page })),
    deliveries: allOf((page) => client.integration.listEvents.query({ ...scope, ...page })),
    auditEvents: allOf((page) => client.organization.listAuditEvents.query({ ...scope, ...page })),
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

/** Review comments of the changes whose devices the caller may use. Drafts of others are left out. */
async function* reviews(client: Client, organizationId: string) {
  for await (const { id, deviceId } of allOf((page) =>
    client.workspace.change.list.query({ organizationId, ...page }),
  )) {
    if (deviceId === null) continue;
    const listed = await client.workspace.review.list
      .query({ organizationId, changeId: id })
      .catch((error: unknown) => {
        if (errorData(error)?.code === "FORBIDDEN") return undefined;
        throw error;
      });
    yield* listed?.comments ?? [];
  }
}
