import { answerGitLabPulls } from "./gitLabPulls";
import type { HostedRepository } from "./hostedRepository";
import { pageOf, type Received, type Reply, useProviderServer } from "./server";

// Not in the form of a real token, because scanners would report it as leaked.
export const gitLabToken = "not-a-real-gitlab-token";

/** A project as in docs.gitlab.com/api/projects, without most of its addresses. */
export const gitLabProject = (number: number) => ({
  id: number,
  description: null,
  default_branch: "main",
  visibility: "private",
  http_url_to_repo: `http://example.com/diaspora/clients/diaspora-client-${number}.git`,
  web_url: `http://example.com/diaspora/clients/diaspora-client-${number}`,
  name: `Diaspora Client ${number}`,
  path: `diaspora-client-${number}`,
  path_with_namespace: `diaspora/clients/diaspora-client-${number}`,
  created_at: "2013-09-30T13:46:02Z",
  last_activity_at: "2013-09-30T13:46:02Z",
  namespace: { id: 3, name: "Clients", path: "clients", kind: "group", full_path: "diaspora/clients" },
});

const mergeRequest = {
  id: 1,
  iid: 1,
  project_id: 3,
  title: "test1",
  description: "fixed login page css paddings",
  state: "merged",
  draft: false,
  merged_at: "2018-09-07T11:16:17.520Z",
  created_at: "2017-04-29T08:46:00Z",
  updated_at: "2017-04-29T08:46:00Z",
  target_branch: "main",
  source_branch: "test1",
  author: { id: 1, name: "Administrator", username: "admin" },
  web_url: "http://gitlab.example.com/my-group/my-project/merge_requests/1",
};

/** The part of GitLab's REST API (docs.gitlab.com/api/rest) that the adapter uses. */
export async function useGitLabApi() {
  const state = {
    projects: Array.from({ length: 3 }, (_, number) => gitLabProject(number)) as unknown[],
    hooks: new Map<number, Record<string, unknown>>(),
    /** Projects whose merge requests are opened and merged. */
    hosted: [] as HostedRepository[],
  };
  const base = "/api/v4/projects/diaspora%2Fclients%2Fdiaspora-client";
  const handle = (request: Received): Reply | undefined => {
    const { method, path, headers } = request;
    const bearer = headers.authorization === `Bearer ${gitLabToken}`;
    if (headers["private-token"] !== gitLabToken && !bearer)
      return { status: 401, json: { message: "401 Unauthorized" } };
    const route = `${method} ${path}`;
    if (route === "GET /api/v4/user") return { json: { id: 1, username: "john_smith", name: "John Smith" } };
    if (route === "GET /api/v4/personal_access_tokens/self" && !bearer)
      return {
        json: {
          id: 4,
          name: "Test Token",
          revoked: false,
          created_at: "2020-07-23T14:31:47.729Z",
          scopes: ["api"],
          user_id: 1,
          active: true,
          expires_at: null,
        },
      };
    if (route === "GET /api/v4/projects") return pageOf(state.projects, request, server.url);
    if (route === `GET ${base}/merge_requests`) {
      const wanted = request.query.get("state");
      return pageOf(wanted === null || wanted === "merged" ? [mergeRequest] : [], request, server.url);
    }
    if (/^POST \/api\/v4\/projects\/[^/]+\/hooks$/.test(route)) {
      const id = state.hooks.size + 1;
      state.hooks.set(id, request.body as Record<string, unknown>);
      return { status: 201, json: { id, url: "http://example.com/hook", project_id: 3, push_events: true } };
    }
    const [, id = "", rest = ""] = /^\/api\/v4\/projects\/([^/]+)(.*)$/.exec(path) ?? [];
    const repo = state.hosted.find(({ owner, name }) => decodeURIComponent(id) === `${owner}/${name}`);
    const reply = repo && answerGitLabPulls(repo, request, { path: rest, url: server.url });
    if (reply) return reply;
    const hook = Number(/^\/api\/v4\/projects\/[^/]+\/hooks\/(\d+)$/.exec(path)?.[1]);
    if (method === "DELETE" && state.hooks.delete(hook)) return { status: 204 };
    return undefined;
  };
  const server = await useProviderServer(handle, { message: "404 Project Not Found" });
  return Object.assign(server, { state });
}
