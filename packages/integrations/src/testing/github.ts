import { afterAll, expect } from "vitest";
import { differences } from "./gitHubDescription/check";
import { answerGitHubStorage } from "./gitHubLogs";
import { answerGitHubMutation, answerGitHubProtection, answerGitHubPulls } from "./gitHubPulls";
import type { HostedRepository } from "./hostedRepository";
import { pageOf, type Received, type Reply, useProviderServer } from "./server";

/** The one repository that does not exist. */
const ABSENT = "/octocat/Goodbye-World/";

export const gitHubToken = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";

/** A repository as in GitHub's OpenAPI description, without most of its addresses. */
export const gitHubRepo = (number: number) => ({
  id: 1_296_269 + number,
  node_id: "MDEwOlJlcG9zaXRvcnkxMjk2MjY5",
  name: `Hello-World-${number}`,
  full_name: `octocat/Hello-World-${number}`,
  owner: { login: "octocat", id: 1, type: "User", site_admin: false },
  private: number % 2 === 1,
  html_url: `https://github.com/octocat/Hello-World-${number}`,
  description: number === 0 ? null : "This your first repo!",
  fork: false,
  clone_url: `https://github.com/octocat/Hello-World-${number}.git`,
  default_branch: "master",
  visibility: number % 2 === 1 ? "private" : "public",
  pushed_at: "2011-01-26T19:06:43Z",
  created_at: "2011-01-26T19:01:12Z",
  updated_at: new Date(Date.UTC(2011, 0, 26) - number * 60_000).toISOString().replace(".000", ""),
});

export const gitHubPull = (number: number, merged: boolean) => ({
  id: number,
  number,
  state: merged ? "closed" : "open",
  title: "Amazing new feature",
  user: { login: "octocat", id: 1 },
  body: "Please pull these awesome changes in!",
  draft: false,
  html_url: `https://github.com/octocat/Hello-World/pull/${number}`,
  head: { label: "octocat:new-topic", ref: "new-topic", sha: "6dcb09b5b57875f334f61aebed695e2e4193db5e" },
  base: { label: "octocat:master", ref: "master", sha: "6dcb09b5b57875f334f61aebed695e2e4193db5e" },
  created_at: "2011-01-26T19:01:12Z",
  updated_at: "2011-01-26T19:01:12Z",
  closed_at: merged ? "2011-01-26T19:01:12Z" : null,
  merged_at: merged ? "2011-01-26T19:01:12Z" : null,
});

/** The part of GitHub's REST API (docs.github.com/rest) that the adapter uses; also as an Enterprise server. */
export async function useGitHubApi() {
  const state = {
    token: gitHubToken,
    repos: Array.from({ length: 3 }, (_, number) => gitHubRepo(number)) as unknown[],
    pulls: [gitHubPull(1347, true), gitHubPull(1348, false)],
    hooks: new Map<number, Record<string, unknown>>(),
    /** Repositories whose pull requests are opened and merged. */
    hosted: [] as HostedRepository[],
    /** Fields with values of a newer GitHub than the description's. */
    newerWords: [] as string[],
  };
  const badCredentials: Reply = {
    status: 401,
    json: { message: "Bad credentials", documentation_url: "https://docs.github.com/rest", status: "401" },
  };
  const handle = (request: Received): Reply | undefined => {
    const { method, headers } = request;
    const path = request.path.replace(/^\/api\/v3/, "");
    const authorization = headers.authorization ?? "";
    const route = `${method} ${path}`;
    const jwt = /^bearer [\w-]+\.[\w-]+\.[\w-]+$/i.test(authorization);
    if (route === "GET /app/installations/42")
      return jwt
        ? {
            json: {
              id: 42,
              app_id: 7,
              account: { login: "github", id: 9919, type: "Organization" },
              permissions: { issues: "write", contents: "read" },
            },
          }
        : badCredentials;
    if (route === "POST /app/installations/42/access_tokens")
      return jwt
        ? {
            status: 201,
            json: {
              token: state.token,
              expires_at: new Date(Date.now() + 3_600_000).toISOString(),
              permissions: { issues: "write", contents: "read" },
              repository_selection: "selected",
            },
          }
        : badCredentials;
    if (!new RegExp(`^(token|bearer) ${state.token}$`, "i").test(authorization)) return badCredentials;
    if (route === "GET /user")
      return {
        headers: { "x-oauth-scopes": "repo, admin:repo_hook, read:user" },
        json: { login: "octocat", id: 1, type: "User" },
      };
    if (route === "GET /user/repos") return pageOf(state.repos, request, server.url);
    if (route === "GET /installation/repositories") {
      const page = pageOf(state.repos, request, server.url);
      return { ...page, json: { total_count: state.repos.length, repositories: page.json } };
    }
    if (route === "GET /repos/octocat/Hello-World/pulls") {
      const wanted = request.query.get("state");
      return pageOf(
        state.pulls.filter((pull) => wanted === "all" || pull.state === wanted),
        request,
        server.url,
      );
    }
    if (/^POST \/repos\/[^/]+\/[^/]+\/hooks$/.test(route) && !route.includes(ABSENT)) {
      const id = 12_345_678 + state.hooks.size;
      state.hooks.set(id, request.body as Record<string, unknown>);
      return { status: 201, json: { type: "Repository", id, name: "web", active: true } };
    }
    if (route === "POST /graphql" || route === "POST /api/graphql") {
      const { query, variables } = request.body as { query: string; variables: Record<string, string> };
      if (query.startsWith("mutation")) return answerGitHubMutation(state.hosted, query, variables);
      const repo = state.hosted.find((one) => one.owner === variables.owner && one.name === variables.name);
      if (repo) return answerGitHubProtection(repo, Number(variables.number));
    }
    const repo = state.hosted.find(({ owner, name }) => path.startsWith(`/repos/${owner}/${name}/`));
    const reply =
      repo &&
      answerGitHubPulls(repo, request, {
        path: path.slice(`/repos/${repo.owner}/${repo.name}`.length),
        url: server.url,
        storageUrl: storage.url,
      });
    if (reply) return reply;
    const hook = Number(/^\/repos\/[^/]+\/[^/]+\/hooks\/(\d+)$/.exec(path)?.[1]);
    if (method === "DELETE" && state.hooks.delete(hook)) return { status: 204 };
    return undefined;
  };
  const wrong = new Set<string>();
  const isNew = (difference: string) => state.newerWords.some((word) => difference.includes(word));
  /** Answers, and notes what GitHub's description does not have. */
  const answer = (request: Received): Reply | undefined => {
    const reply = handle(request);
    const path = request.path.replace(/^\/api\/v3/, "");
    if (!path.endsWith("/graphql"))
      for (const one of differences(request, path, reply ?? { status: 404 })) if (!isNew(one)) wrong.add(one);
    return reply;
  };
  afterAll(() => expect([...wrong], "as GitHub's description has it").toEqual([]));
  const [server, storage] = await Promise.all([
    useProviderServer(answer),
    useProviderServer((request) => answerGitHubStorage(state.hosted, request)),
  ]);
  return Object.assign(server, { state, storage });
}
