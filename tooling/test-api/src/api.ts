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
  /** A client with the person's own session; without subscriptions. */
  readonly client: TRPCClient<AppRouter>;
  readonly email: string;
  readonly password: string;
  readonly userId: string;
  readonly organizationId: string;
  readonly apiKey: string;
  readonly apiKeyId: string;
}

/** The built API in its own process, on an embedded database in its own directory. */
export class TestApi {
  /** The address that the API listens on; empty until it has been started. */
  url = "";
  #directory = "";
  #preparing: Promise<void> | undefined;
  #removed = false;
  #child: ChildProcess | undefined;
  readonly #env: Record<string, string>;

  constructor(env: Record<string, string> = {}) {
    this.#env = env;
  }

  /** The data directory, once the API has been started. */
  get dataDir(): string {
    return join(this.#directory, "data");
  }

  /** Starts the API; a second time on the same port and data. Resolves when it listens. */
  async start(): Promise<void> {
    this.#directory ||= mkdtempSync(join(tmpdir(), "grove-test-api-"));
    if (!existsSync(this.dataDir)) this.#preparing = copyDatabase(this.dataDir);
    await this.#preparing;
    // Removed while it started.
    if (this.#removed) throw new Error("the API did not start");
    const PORT = this.url === "" ? "0" : new URL(this.url).port;
    this.#child = spawnApi({ ...this.#env, PORT, DATA_DIR: this.dataDir });
    this.url = await listening(this.#child);
  }

  /** Ends the process, and resolves when it is gone. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  /** Ends the process and removes its data. */
  async remove(): Promise<void> {
    this.#removed = true;
    await this.#preparing?.catch(() => undefined);
    await this.stop("SIGKILL");
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Signs a new person up. */
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
