import { schema as published } from "@octokit/graphql-schema";
import { buildSchema, execute, parse } from "graphql";
import { afterAll, beforeEach, expect, it } from "vitest";
import { Integrations } from "../integrations";
import type { Codehost, RepoRef } from "../ports";
import { HostedRepository, useProviders } from "../testing";

const { servers, options, access } = await useProviders();
const integrations = new Integrations(options);
afterAll(() => integrations.close());

const head = "a".repeat(40);
let hosted: HostedRepository;

beforeEach(() => {
  const { state, received } = servers.github;
  hosted = new HostedRepository("acme", "shop");
  hosted.branches.set("work", head);
  hosted.hasQueue = true;
  state.hosted.splice(0, Infinity, hosted);
  received.length = 0;
  hosted.open({ title: "Sign in", body: "", head: "work", base: "main", draft: false });
});

const call = <T>(use: (port: Codehost, repo: RepoRef) => Promise<T>) =>
  integrations.call("codehost", access.github, (port) => use(port, { owner: "acme", name: "shop" }));

/** The last GraphQL request, and the test server's answer to it. */
async function lastGraphql() {
  const { received, url, state } = servers.github;
  const request = received.findLast(({ path }) => path.endsWith("/graphql"))?.body;
  const { query, variables } = request as { query: string; variables: Record<string, unknown> };
  hosted.queue.clear();
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { authorization: `token ${state.token}`, "content-type": "application/json" },
    body: JSON.stringify({ query, variables }),
  });
  const { data } = (await response.json()) as { data: Record<string, unknown> };
  return { query, variables, data };
}

/**
 * Executes a request on GitHub's published schema, with the answer as its data. A field that the schema does not have,
 * or a value of another type, is an error.
 */
const executed = ({ query, variables, data }: Awaited<ReturnType<typeof lastGraphql>>) =>
  execute({
    // It defines a field twice, which has nothing to do with the query.
    schema: buildSchema(published.idl, { assumeValidSDL: true }),
    document: parse(query),
    variableValues: variables,
    rootValue: data,
  });

it("reads the rules of a base as GitHub's published GraphQL schema has them", async () => {
  hosted.reviewDecision = "REVIEW_REQUIRED";
  hosted.checks.set(head, [
    { name: "test", word: "success", required: true },
    { name: "deploy", word: "pending", required: false, kind: "status" },
  ]);
  await call((port, repo) => port.pullStatus(repo, 1));
  const last = await lastGraphql();
  expect(await executed(last)).toEqual({ data: last.data });
});

it("adds a pull request to the queue as GitHub's published GraphQL schema has it", async () => {
  await call((port, repo) => port.mergePull(repo, 1, { head, method: "queue" }));
  const last = await lastGraphql();
  expect(last.data).toHaveProperty("enqueuePullRequest.mergeQueueEntry");
  expect(await executed(last)).toEqual({ data: last.data });
});

it("makes a draft ready as GitHub's published GraphQL schema has it", async () => {
  Object.assign(hosted.pulls[0] ?? {}, { draft: true });
  await call((port, repo) => port.markReady(repo, 1));
  expect(hosted.pulls[0]?.draft).toBe(false);
  const last = await lastGraphql();
  expect(last.data).toHaveProperty("markPullRequestReadyForReview.pullRequest");
  expect(await executed(last)).toEqual({ data: last.data });
});
