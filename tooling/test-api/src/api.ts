import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppRouter } from "@grove/api/router";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import { listening, spawnApi } from "./program";
import { copyDatabase } from "./template";

/** A person with a personal organization and an API key of it. */
export interface Tenant {
  /** With the person's own session; without subscriptions. */
  readonly client: TRPCClient<AppRouter>;
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly apiKey: string;
  readonly apiKeyId: string;
}

/** The built API as a process of its own, on an embedded database in a directory of its own. */
export class TestApi {
  /** Where it listens, once it has been started; empty before. */
  url = "";
  #directory = "";
  #preparing: Promise<void> | undefined;
  #removed = false;
  #child: ChildProcess | undefined;
  readonly #env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    this.#env = env;
  }

  /** Where it keeps its data, once it has been started. */
  get dataDir(): string {
    return join(this.#directory, "data");
  }

  /** Starts it, again on the same port and data; resolves when it listens. */
  async start(): Promise<void> {
    this.#directory ||= mkdtempSync(join(tmpdir(), "grove-test-api-"));
    if (!existsSync(this.dataDir)) this.#preparing = copyDatabase(this.dataDir);
    await this.#preparing;
    // By who gave up on this meanwhile.
    if (this.#removed) throw new Error("the API did not start");
    const PORT = this.url === "" ? "0" : new URL(this.url).port;
    this.#child = spawnApi({ ...this.#env, PORT, DATA_DIR: this.dataDir });
    this.url = await listening(this.#child);
  }

  /** Resolves when the process is gone. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  /** Ends it, and its data with it. */
  async remove(): Promise<void> {
    this.#removed = true;
    await this.#preparing?.catch(() => undefined);
    await this.stop("SIGKILL");
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** A new person. */
  async signUp(name = "A Person"): Promise<Tenant> {
    const email = `${crypto.randomUUID()}@example.com`;
    const password = "correct horse battery";
    const response = await fetch(`${this.url}/api/auth/sign-up`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name, email, password }),
    });
    const { token, user } = (await response.json()) as { token: string; user: { id: string } };
    const client = createTRPCClient<AppRouter>({
      links: [httpLink({ url: `${this.url}/api/trpc`, headers: { authorization: `Bearer ${token}` } })],
    });
    const [organization] = await client.organization.list.query();
    if (!organization) throw new Error("sign-up made no organization");
    const organizationId = organization.id;
    const { key, id } = await client.apiKey.create.mutate({ organizationId, name: "test" });
    return { client, email, password, userId: user.id, organizationId, apiKey: key, apiKeyId: id };
  }
}
