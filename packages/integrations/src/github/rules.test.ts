import { schema as published } from "@octokit/graphql-schema";
import { buildSchema, execute, parse } from "graphql";
import { expect, it } from "vitest";
import { Integrations } from "../integrations";
import { HostedRepository, useProviders } from "../testing";

const { servers, options, access } = await useProviders();
const head = "a".repeat(40);

interface Request {
  query: string;
  variables: Record<string, unknown>;
}

it("asks and is answered as GitHub's published GraphQL schema has it", async () => {
  const hosted = new HostedRepository("acme", "shop");
  hosted.branches.set("work", head);
  hosted.hasQueue = true;
  hosted.reviewDecision = "REVIEW_REQUIRED";
  hosted.checks.set(head, [
    { name: "test", word: "success", required: true },
    { name: "deploy", word: "pending", required: false, kind: "status" },
  ]);
  const { state } = servers.github;
  state.hosted.push(hosted);
  hosted.open({ title: "Sign in", body: "", head: "work", base: "main", draft: false });
  const integrations = new Integrations(options);
  await integrations.call("codehost", access.github, (port) =>
    port.pullStatus({ owner: "acme", name: "shop" }, 1),
  );
  await integrations.close();

  const isGraphql = ({ path }: { path: string }) => path.endsWith("/graphql");
  const [request] = servers.github.received.filter(isGraphql).map(({ body }) => body as Request);
  if (!request) return expect.unreachable();
  const { query, variables } = request;
  const response = await fetch(`${servers.github.url}/graphql`, {
    method: "POST",
    headers: { authorization: `token ${state.token}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const { data } = (await response.json()) as { data: { repository: unknown } };
  // A field that the schema does not have, or a value of another type, is an error.
  const result = await execute({
    // It defines a field twice, which has nothing to do with the query.
    schema: buildSchema(published.idl, { assumeValidSDL: true }),
    document: parse(query),
    variableValues: variables,
    rootValue: data,
  });
  expect(result).toEqual({ data });
});
