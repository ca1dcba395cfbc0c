import { type PullRequest, pullRequestState, type Repo } from "@grove/schemas";
import * as z from "zod";
import type { Credentials } from "../credentials";
import type { CallContext } from "../defineProvider";
import { collect } from "../pages";
import type { Account, Codehost } from "../ports";
import { readScopes } from "../scopes";
import { gitHubPulls } from "./pulls";

/** The parts of GitHub's OpenAPI description (docs.github.com/rest) that are used here. */
const account = z.object({ id: z.number(), login: z.string() });
const installation = z.object({ account, permissions: z.record(z.string(), z.string()) });
const repository = z.object({
  id: z.number(),
  name: z.string(),
  full_name: z.string(),
  owner: z.object({ login: z.string() }),
  html_url: z.string(),
  clone_url: z.string(),
  default_branch: z.string(),
  private: z.boolean(),
  description: z.string().nullable(),
  updated_at: z.string(),
});
const pull = z.object({
  number: z.number(),
  title: z.string(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().default(false),
  user: z.object({ login: z.string() }).nullable(),
  head: z.object({ ref: z.string() }),
  base: z.object({ ref: z.string() }),
  html_url: z.string(),
  merged_at: z.string().nullable(),
  updated_at: z.string(),
});

const newestFirst = { sort: "updated", direction: "desc", per_page: 100 } as const;

/** The adapter, on Octokit. */
export async function openGitHub(credentials: Credentials, context: CallContext): Promise<Codehost> {
  const octokit = await createOctokit(credentials, context);
  const isApp = credentials.type === "app";

  return {
    ...gitHubPulls(octokit, context.readLog),

    account: async () => {
      if (credentials.type !== "app") {
        const { data, headers } = await octokit.request("GET /user");
        return toAccount(account.parse(data), headers["x-oauth-scopes"]);
      }
      const { data } = await octokit.request("GET /app/installations/{installation_id}", {
        installation_id: Number(credentials.installationId),
      });
      const found = installation.parse(data);
      const permissions = Object.entries(found.permissions).map(([name, level]) => `${name}:${level}`);
      return toAccount(found.account, permissions);
    },

    listRepos: async () => {
      const pages = isApp
        ? octokit.paginate.iterator("GET /installation/repositories", { per_page: 100 })
        : octokit.paginate.iterator("GET /user/repos", newestFirst);
      const repos = await collect(dataOf<unknown>(pages));
      return repos.map(toRepo).sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
    },

    listPullRequests: async ({ owner, name }, state) => {
      const pages = octokit.paginate.iterator("GET /repos/{owner}/{repo}/pulls", {
        owner,
        repo: name,
        state: state === undefined ? "all" : state === "open" ? "open" : "closed",
        ...newestFirst,
      });
      const pulls = (await collect(dataOf<unknown>(pages))).map(toPullRequest);
      return pulls.filter((found) => state === undefined || found.state === state);
    },

    createWebhook: async ({ owner, name }, { url, secret, events }) => {
      const { data } = await octokit.request("POST /repos/{owner}/{repo}/hooks", {
        owner,
        repo: name,
        name: "web",
        active: true,
        events,
        config: { url, secret, content_type: "json", insecure_ssl: "0" },
      });
      return String(z.object({ id: z.number() }).parse(data).id);
    },

    deleteWebhook: async ({ owner, name }, id) => {
      await octokit.request("DELETE /repos/{owner}/{repo}/hooks/{hook_id}", {
        owner,
        repo: name,
        hook_id: Number(id),
      });
    },
  };
}

async function createOctokit(credentials: Credentials, { apiUrl, fetch }: CallContext) {
  const [{ Octokit }, { paginateRest }, { createAppAuth }] = await Promise.all([
    import("@octokit/core"),
    import("@octokit/plugin-paginate-rest"),
    import("@octokit/auth-app"),
  ]);
  const quiet = () => undefined;
  const options = {
    baseUrl: apiUrl,
    userAgent: "grove",
    request: { fetch },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  };
  const Client = Octokit.plugin(paginateRest);
  if (credentials.type === "app") {
    const { appId, privateKey, installationId } = credentials;
    return new Client({
      ...options,
      authStrategy: createAppAuth,
      auth: { appId, privateKey, installationId },
    });
  }
  return new Client({
    ...options,
    auth: credentials.type === "token" ? credentials.token : credentials.accessToken,
  });
}

async function* dataOf<Item>(pages: AsyncIterable<{ data: unknown }>): AsyncGenerator<Item[]> {
  for await (const { data } of pages) yield z.array(z.unknown()).parse(data) as Item[];
}

const toAccount = ({ id, login }: z.infer<typeof account>, scopes: unknown): Account => ({
  id: String(id),
  name: login,
  scopes: readScopes(scopes),
});

const toRepo = (data: unknown): Repo => {
  const found = repository.parse(data);
  return {
    id: String(found.id),
    owner: found.owner.login,
    name: found.name,
    fullName: found.full_name,
    url: found.html_url,
    cloneUrl: found.clone_url,
    defaultBranch: found.default_branch,
    private: found.private,
    description: found.description,
    updatedAt: new Date(found.updated_at).toISOString(),
  };
};

const toPullRequest = (data: unknown): PullRequest => {
  const found = pull.parse(data);
  return {
    number: found.number,
    title: found.title,
    state: found.merged_at === null ? found.state : pullRequestState.enum.merged,
    draft: found.draft,
    author: found.user?.login ?? null,
    headBranch: found.head.ref,
    baseBranch: found.base.ref,
    url: found.html_url,
    updatedAt: new Date(found.updated_at).toISOString(),
  };
};
