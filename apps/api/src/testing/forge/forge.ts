import { newId } from "@grove/db";
import { gitHubToken, gitLabToken, type useProviders } from "@grove/integrations/testing";
import { expect } from "vitest";
import type { Person, TestServer } from "../server";
import type { Delivery, ForgeComment, ForgePull, Name, RepositoryFacts } from "./deliveries";
import { gitHub } from "./gitHub";
import { gitLab } from "./gitLab";

const hosts = { github: gitHub, gitlab: gitLab };
type Provider = keyof typeof hosts;

let repositories = 8_000_000;

/** A repository of a code host, with its webhook. */
export class ForgeRepository implements RepositoryFacts {
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
    return `${this.page}${hosts[this.#provider].pullPath(number)}`;
  }

  /** Posts a delivery. @returns a function that posts the same again */
  async deliver(pull: ForgePull): Promise<() => Promise<void>> {
    const delivery = hosts[this.#provider].pull(this, pull);
    const id = newId();
    await this.#post(delivery, id);
    return () => this.#post(delivery, id);
  }

  /** Posts a comment, at GitHub also as a review and as a comment on a line. */
  async comment(comment: ForgeComment): Promise<void> {
    for (const delivery of hosts[this.#provider].comment(this, comment)) await this.#post(delivery);
  }

  /** Reports that a check of a commit has ended. The delivery does not state how. */
  async reportCheck(head: string): Promise<void> {
    await this.#post(hosts[this.#provider].check(this, head));
  }

  /** Renames or transfers the repository. Only GitHub reports that by itself. */
  async move(name: Name): Promise<void> {
    const from = this.name;
    this.name = name;
    const delivery = hosts[this.#provider].move(this, from);
    if (delivery) await this.#post(delivery);
  }

  async #post({ event, payload }: Delivery, id = newId()): Promise<void> {
    const body = JSON.stringify(payload);
    const headers = hosts[this.#provider].headers({ event, id, body, secret: this.#secret });
    const answer = await fetch(this.#url, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });
    expect(answer.status).toBe(202);
  }
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
