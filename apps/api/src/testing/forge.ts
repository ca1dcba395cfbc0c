import { createHmac } from "node:crypto";
import { newId } from "@grove/db";
import { gitHubToken, gitLabToken, type useProviders } from "@grove/integrations/testing";
import webhookExamples from "@octokit/webhooks-examples";
import { expect } from "vitest";
import type { Person, TestServer } from "./server";

type Provider = "github" | "gitlab";
type Name = { owner: string; name: string };

/** A pull request at the moment of a delivery. */
export interface ForgePull {
  number: number;
  action: "opened" | "closed" | "merged" | "reopened" | "edited" | "pushed" | "queued";
  /** Derived from the action when omitted. */
  state?: "open" | "draft" | "closed" | "merged";
  head: string;
  base?: string;
  title?: string;
  body?: string;
  isFork?: boolean;
  /** Seconds after the beginning of the test. */
  at: number;
}

const example = webhookExamples
  .flatMap(({ examples }) => examples)
  .find((one) => "number" in one && "pull_request" in one && one.action === "closed");

/** A comment on a pull request. */
export interface ForgeComment {
  number: number;
  title: string;
  author: string;
  body: string;
}

let repositories = 8_000_000;

/** A repository of a code host, with its webhook. It signs deliveries as the code host does. */
export class ForgeRepository {
  id = ++repositories;
  readonly start = Date.now();
  defaultBranch = "main";
  readonly #provider: Provider;
  readonly #url: string;
  readonly #secret: string;
  name: Name;

  constructor(provider: Provider, url: string, secret: string, name: Name) {
    this.#provider = provider;
    this.#url = url;
    this.#secret = secret;
    this.name = name;
  }

  get page(): string {
    return `https://${this.#provider}.com/${this.name.owner}/${this.name.name}`;
  }

  urlOf(number: number): string {
    return this.#provider === "github"
      ? `${this.page}/pull/${number}`
      : `${this.page}/-/merge_requests/${number}`;
  }

  /** Posts a delivery. @returns a function that posts the same again */
  async deliver(pull: ForgePull): Promise<() => Promise<void>> {
    const { event, payload } = this.#provider === "github" ? this.#atGitHub(pull) : this.#atGitLab(pull);
    const body = JSON.stringify(payload);
    const id = newId();
    await this.#post(event, body, id);
    return () => this.#post(event, body, id);
  }

  /** Posts a comment, at GitHub also as a review and as a comment on a line. */
  async comment(comment: ForgeComment): Promise<void> {
    const { number, title, author, body } = comment;
    if (this.#provider === "gitlab") {
      const payload = {
        object_kind: "note",
        user: { id: 9, name: author, username: author },
        project: { id: this.id, path_with_namespace: `${this.name.owner}/${this.name.name}` },
        object_attributes: { id: 1, note: body, noteable_type: "MergeRequest" },
        merge_request: { iid: number, title },
      };
      return this.#post("Note Hook", JSON.stringify(payload), newId());
    }
    const of = { user: { id: 9, login: author }, body, author_association: "NONE" };
    const pull = this.#atGitHub({ number, title, action: "edited", head: "work", at: 0 }).payload
      .pull_request;
    const repository = this.#repository(0);
    const events = [
      ["issue_comment", { action: "created", issue: { number, title }, comment: of, repository }],
      ["pull_request_review", { action: "submitted", review: of, pull_request: pull, repository }],
      ["pull_request_review_comment", { action: "created", comment: of, pull_request: pull, repository }],
    ] as const;
    for (const [event, payload] of events) await this.#post(event, JSON.stringify(payload), newId());
  }

  /** Reports that a check of a commit has ended. The delivery does not state how. */
  async reportCheck(head: string): Promise<void> {
    const payload =
      this.#provider === "github"
        ? { action: "completed", check_run: { head_sha: head }, repository: this.#repository(1) }
        : {
            object_kind: "pipeline",
            object_attributes: { id: 1, sha: head, status: "success" },
            project: { id: this.id, path_with_namespace: `${this.name.owner}/${this.name.name}` },
          };
    const event = this.#provider === "github" ? "check_run" : "Pipeline Hook";
    await this.#post(event, JSON.stringify(payload), newId());
  }

  /** Renames or transfers the repository. Only GitHub reports that by itself. */
  async move(name: Name): Promise<void> {
    const from = this.name;
    this.name = name;
    if (this.#provider === "gitlab") return;
    const isRename = from.owner === name.owner;
    const changes = isRename
      ? { repository: { name: { from: from.name } } }
      : { owner: { from: { organization: { login: from.owner } } } };
    const action = isRename ? "renamed" : "transferred";
    await this.#post(
      "repository",
      JSON.stringify({ action, changes, repository: this.#repository(50) }),
      newId(),
    );
  }

  async #post(event: string, body: string, id: string): Promise<void> {
    const signature = createHmac("sha256", this.#secret).update(body).digest("hex");
    const headers: Record<string, string> =
      this.#provider === "github"
        ? { "x-github-event": event, "x-github-delivery": id, "x-hub-signature-256": `sha256=${signature}` }
        : { "x-gitlab-event": event, "idempotency-key": id, "x-gitlab-token": this.#secret };
    const answer = await fetch(this.#url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    expect(answer.status).toBe(202);
  }

  #time = (seconds: number) => new Date(this.start + seconds * 1_000).toISOString().replace(/\.\d+/, "");

  #repository = (at: number) => ({
    ...example?.repository,
    id: this.id,
    name: this.name.name,
    full_name: `${this.name.owner}/${this.name.name}`,
    owner: { ...example?.repository?.owner, login: this.name.owner },
    html_url: this.page,
    default_branch: this.defaultBranch,
    updated_at: this.#time(at),
  });

  #atGitHub(pull: ForgePull) {
    const actions = { merged: "closed", pushed: "synchronize", queued: "enqueued" } as Record<string, string>;
    const state = stateOf(pull);
    const isEnded = state === "merged" || state === "closed";
    const time = this.#time(pull.at);
    const repository = this.#repository(pull.at);
    const fork = { ...repository, id: this.id + 1_000_000, full_name: `stranger/${this.name.name}` };
    return {
      event: "pull_request",
      payload: {
        ...example,
        action: actions[pull.action] ?? pull.action,
        number: pull.number,
        pull_request: {
          ...example?.pull_request,
          number: pull.number,
          state: isEnded ? "closed" : "open",
          draft: state === "draft",
          merged: state === "merged",
          merged_at: state === "merged" ? time : null,
          updated_at: time,
          closed_at: isEnded ? time : null,
          html_url: this.urlOf(pull.number),
          title: pull.title ?? "A change",
          body: pull.body ?? null,
          head: { ...example?.pull_request.head, ref: pull.head, repo: pull.isFork ? fork : repository },
          base: { ...example?.pull_request.base, ref: pull.base ?? "main", repo: repository },
        },
        repository,
      },
    };
  }

  #atGitLab(pull: ForgePull) {
    const actions = { opened: "open", closed: "close", merged: "merge", reopened: "reopen" } as Record<
      string,
      string
    >;
    const state = stateOf(pull);
    return {
      event: "Merge Request Hook",
      payload: {
        object_kind: "merge_request",
        event_type: "merge_request",
        user: { id: 1, name: "Administrator", username: "root" },
        project: {
          id: this.id,
          name: this.name.name,
          web_url: this.page,
          default_branch: this.defaultBranch,
          path_with_namespace: `${this.name.owner}/${this.name.name}`,
        },
        object_attributes: {
          id: 99,
          iid: pull.number,
          action: actions[pull.action] ?? "update",
          state: state === "merged" || state === "closed" ? state : "opened",
          draft: state === "draft",
          source_branch: pull.head,
          target_branch: pull.base ?? "main",
          source_project_id: pull.isFork ? this.id + 1_000_000 : this.id,
          target_project_id: this.id,
          title: pull.title ?? "A change",
          description: pull.body ?? "",
          url: this.urlOf(pull.number),
          updated_at: this.#time(pull.at).replace("T", " ").replace("Z", " UTC"),
        },
      },
    };
  }
}

function stateOf({ action, state }: ForgePull) {
  if (state) return state;
  return action === "merged" || action === "closed" ? action : "open";
}

/** Connects an organization to a code host, and makes repositories there. */
export async function useForge(
  server: Pick<TestServer, "url">,
  { client, organizationId }: Person,
  { servers }: Awaited<ReturnType<typeof useProviders>>,
  provider: Provider,
) {
  const token = provider === "github" ? gitHubToken : gitLabToken;
  const { id: connectionId } = await client.integration.connect.mutate({ organizationId, provider, token });
  return async (name: Name): Promise<ForgeRepository> => {
    const made = await client.integration.codehost.createWebhook.mutate({
      organizationId,
      connectionId,
      repoOwner: name.owner,
      repoName: name.name,
      events: ["*"],
    });
    const hook = [...servers[provider].state.hooks.values()].at(-1) as {
      token?: string;
      config?: { secret: string };
    };
    const secret = hook.config?.secret ?? hook.token ?? "";
    return new ForgeRepository(provider, `${server.url}${new URL(made.url ?? "").pathname}`, secret, name);
  };
}
