import { gitHubToken, linearToken, useProviders } from "@grove/integrations/testing";
import { expect, it } from "vitest";
import { failure, useTestServer } from "../testing/server";

const providers = await useProviders();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: providers.options,
});
const ada = await server.signUp("Ada");
const { client, organizationId } = ada;
const connect = (provider: "github" | "linear", token: string) =>
  client.integration.connect.mutate({ organizationId, provider, token });
const watch = (event: string) =>
  client.integration.codehost.createWebhook.mutate({
    organizationId,
    repoOwner: "octocat",
    repoName: "Hello-World",
    events: [event],
  });

interface Page {
  limit?: number;
  after?: string;
}

/** The lists, each with a function that makes two items for it. */
const lists: [name: string, make: () => Promise<unknown>, list: (page: Page) => Promise<{ id: string }[]>][] =
  [
    [
      "organization.listInvitations",
      async () => {
        for (const email of ["bob@example.com", "eve@example.com"])
          await client.organization.invite.mutate({ organizationId, email, role: "member" });
      },
      (page) => client.organization.listInvitations.query({ organizationId, ...page }),
    ],
    [
      "apiKey.list",
      async () => {
        for (const name of ["one", "two"]) await client.apiKey.create.mutate({ organizationId, name });
      },
      (page) => client.apiKey.list.query({ organizationId, ...page }),
    ],
    [
      "user.listSessions",
      () => server.signIn(ada.user.email),
      (page) => client.user.listSessions.query(page),
    ],
    [
      "integration.list",
      async () => {
        await connect("github", gitHubToken);
        await connect("linear", linearToken);
      },
      (page) => client.integration.list.query({ organizationId, ...page }),
    ],
    [
      "integration.codehost.listWebhooks",
      async () => {
        await connect("github", gitHubToken);
        await watch("push");
        await watch("issues");
      },
      (page) => client.integration.codehost.listWebhooks.query({ organizationId, ...page }),
    ],
  ];

it.each(lists)("%s answers page after page", async (_, make, list) => {
  await make();
  const all = await list({});
  expect(all).toHaveLength(2);
  const first = await list({ limit: 1 });
  const second = await list({ limit: 1, after: first[0]?.id ?? "" });
  expect([...first, ...second]).toEqual(all);
  expect(await list({ after: second[0]?.id ?? "" })).toEqual([]);
  expect(await failure(list({ after: ada.user.id }))).toMatchObject({ reason: "cursor_gone" });
});

it("a page of sessions does not begin after another user's", async () => {
  const bob = await server.signUp("Bob");
  const [session] = await bob.client.user.listSessions.query();
  const call = client.user.listSessions.query({ after: session?.id ?? "" });
  expect(await failure(call)).toMatchObject({ reason: "cursor_gone" });
});
