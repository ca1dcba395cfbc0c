import type { PullRequest, Repo } from "@grove/schemas";
import * as z from "zod";
import type { Credentials } from "../credentials";
import type { CallContext } from "../defineProvider";
import { ProviderError, providerErrorIn } from "../errors";
import type { Fetch } from "../network/fetch";
import { MAX_ITEMS } from "../pages";
import type { Codehost } from "../ports";
import { readScopes } from "../scopes";
import { readCheckLog } from "./checkLog";
import { hookOptions } from "./hookOptions";
import { idOf } from "./pull";
import { gitLabPulls } from "./pulls";

/** The parts of GitLab's REST API (docs.gitlab.com/api) that are used here. */
const user = z.object({ id: z.number(), username: z.string() });
const token = z.object({ scopes: z.array(z.string()) });
const project = z.object({
  id: z.number(),
  path: z.string(),
  path_with_namespace: z.string(),
  namespace: z.object({ full_path: z.string() }),
  web_url: z.string(),
  http_url_to_repo: z.string(),
  /** A repository without commits has none. */
  default_branch: z.string().nullish(),
  visibility: z.string().optional(),
  description: z.string().nullish(),
  last_activity_at: z.string(),
});
const mergeRequest = z.object({
  iid: z.number(),
  title: z.string(),
  state: z.enum(["opened", "closed", "locked", "merged"]),
  draft: z.boolean().default(false),
  author: z.object({ username: z.string() }).nullish(),
  source_branch: z.string(),
  target_branch: z.string(),
  web_url: z.string(),
  updated_at: z.string(),
});

const PER_PAGE = 100;
const bounded = { perPage: PER_PAGE, maxPages: MAX_ITEMS / PER_PAGE };

/** The adapter, on Gitbeaker. */
export async function openGitLab(
  credentials: Credentials,
  { apiUrl, fetch, readLog }: CallContext,
): Promise<Codehost> {
  const [{ Gitlab }, { createRequesterFn }] = await Promise.all([
    import("@gitbeaker/core"),
    import("@gitbeaker/requester-utils"),
  ]);
  if (credentials.type === "app") throw new ProviderError("unauthorized");
  const api = new Gitlab({
    host: apiUrl,
    ...(credentials.type === "token"
      ? { token: credentials.token }
      : { oauthToken: credentials.accessToken }),
    requesterFn: createRequesterFn(async (_, options) => options, requestWith(fetch)),
  });

  /** Undefined for a kind of token that cannot read itself, and on an old GitLab. */
  async function tokenScopes(): Promise<string[] | undefined> {
    try {
      return readScopes(token.parse(await api.PersonalAccessTokens.show()).scopes);
    } catch (error) {
      const failure = providerErrorIn(error)?.failure;
      if (failure === "unauthorized" || failure === "forbidden" || failure === "not_found") return undefined;
      throw error;
    }
  }

  return {
    ...gitLabPulls(api),

    readCheckLog: (repo, checkId) => {
      const address = `${apiUrl}/api/v4/projects/${encodeURIComponent(idOf(repo))}/jobs/${checkId}/trace`;
      return readCheckLog(readLog, address, credentials);
    },

    account: async () => {
      const { id, username } = user.parse(await api.Users.showCurrentUser());
      const scopes = credentials.type === "token" ? await tokenScopes() : undefined;
      return { id: String(id), name: username, scopes };
    },

    listRepos: async () => {
      const options = { membership: true, orderBy: "last_activity_at", sort: "desc", ...bounded } as const;
      return z
        .array(z.unknown())
        .parse(await api.Projects.all(options))
        .map(toRepo);
    },

    listPullRequests: async (repo, state) => {
      const found = await api.MergeRequests.all({
        projectId: idOf(repo),
        ...(state !== undefined && { state: state === "open" ? "opened" : state }),
        orderBy: "updated_at",
        sort: "desc",
        ...bounded,
      });
      return z.array(z.unknown()).parse(found).map(toPullRequest);
    },

    createWebhook: async (repo, { url, secret, events }) => {
      const options = { ...hookOptions(events), token: secret, enableSslVerification: true };
      return String(
        z.object({ id: z.number() }).parse(await api.ProjectHooks.add(idOf(repo), url, options)).id,
      );
    },

    deleteWebhook: async (repo, id) => {
      await api.ProjectHooks.remove(idOf(repo), Number(id));
    },
  };
}

/** Gitbeaker's own requester uses the global fetch. */
const requestWith =
  (fetch: Fetch) =>
  async (endpoint: string, options: Record<string, unknown> = {}) => {
    const { prefixUrl, searchParams, method, headers, body } = options as {
      prefixUrl: string;
      searchParams?: string;
      method: string;
      headers: Record<string, string>;
      body?: string;
    };
    const url = new URL(endpoint, prefixUrl.endsWith("/") ? prefixUrl : `${prefixUrl}/`);
    url.search = searchParams ?? "";
    const response = await fetch(url, { method, headers, body });
    const text = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: text === "" ? null : JSON.parse(text),
    };
  };

const toRepo = (data: unknown): Repo => {
  const found = project.parse(data);
  return {
    id: String(found.id),
    owner: found.namespace.full_path,
    name: found.path,
    fullName: found.path_with_namespace,
    url: found.web_url,
    cloneUrl: found.http_url_to_repo,
    defaultBranch: found.default_branch ?? "main",
    private: found.visibility !== "public",
    description: found.description ?? null,
    updatedAt: new Date(found.last_activity_at).toISOString(),
  };
};

const toPullRequest = (data: unknown): PullRequest => {
  const found = mergeRequest.parse(data);
  return {
    number: found.iid,
    title: found.title,
    state: found.state === "merged" ? "merged" : found.state === "closed" ? "closed" : "open",
    draft: found.draft,
    author: found.author?.username ?? null,
    headBranch: found.source_branch,
    baseBranch: found.target_branch,
    url: found.web_url,
    updatedAt: new Date(found.updated_at).toISOString(),
  };
};
