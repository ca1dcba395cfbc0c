import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@grove/client";
import { afterAll, beforeAll } from "vitest";
import { hasEnded } from "./process";

const program = fileURLToPath(new URL("dist/main.js", import.meta.resolve("@grove/api/package.json")));

export interface TestOrganization {
  /** With a person's own session. */
  client: Client;
  organizationId: string;
  apiKey: string;
}

/** The real API as a process of its own, on an embedded database; for all tests of a file. */
export class TestApi {
  url = "";
  #directory = "";
  #child: ChildProcess | undefined;

  /** Starts it, again on the same port and data; resolves when it listens. */
  async start(): Promise<void> {
    this.#directory ||= await mkdtemp(join(tmpdir(), "grove-device-api-"));
    const port = this.url === "" ? "0" : new URL(this.url).port;
    const env = { PATH: process.env.PATH, PORT: port, DATA_DIR: join(this.#directory, "data") };
    const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const { msg, url } = JSON.parse(line);
      if (msg !== "listening") continue;
      this.url = url;
      child.stdout.resume();
      return;
    }
    throw new Error("the API did not start");
  }

  /** Resolves when the process is gone. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (!this.#child || hasEnded(this.#child)) return;
    const gone = once(this.#child, "exit");
    this.#child.kill(signal);
    await gone;
  }

  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** A new person, with an organization and an API key. */
  async signUp(): Promise<TestOrganization> {
    const response = await fetch(`${this.url}/api/auth/sign-up`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        name: "A Person",
        email: `${crypto.randomUUID()}@example.com`,
        password: "correct horse battery",
      }),
    });
    const { token } = (await response.json()) as { token: string };
    const client = createClient({ apiUrl: this.url, token });
    const [organization] = await client.organization.list.query();
    if (!organization) throw new Error("sign-up made no organization");
    const { key } = await client.apiKey.create.mutate({ organizationId: organization.id, name: "device" });
    return { client, organizationId: organization.id, apiKey: key };
  }
}

export function useApi(): TestApi {
  const api = new TestApi();
  beforeAll(() => api.start());
  afterAll(() => api.remove());
  return api;
}
