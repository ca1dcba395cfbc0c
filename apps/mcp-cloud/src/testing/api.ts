import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "@grove/client";
import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";

const program = fileURLToPath(new URL("dist/main.js", import.meta.resolve("@grove/api/package.json")));

/** The real API, on an embedded database in a directory of its own. */
export class TestApi {
  url = "";
  readonly #directory: string;
  #process: ChildProcess | undefined;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async start(): Promise<TestApi> {
    const api = new TestApi(await mkdtemp(join(tmpdir(), "grove-mcp-cloud-")));
    await api.start();
    return api;
  }

  /** Starts it, again on the same port and data; resolves when it listens. */
  async start(): Promise<void> {
    const port = this.url === "" ? "0" : new URL(this.url).port;
    const child = spawn(process.execPath, [program], {
      env: { ...getDefaultEnvironment(), PORT: port, DATA_DIR: join(this.#directory, "data") },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#process = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const { msg, url } = JSON.parse(line);
      if (msg !== "listening") continue;
      this.url = url;
      break;
    }
    child.stdout.resume();
    if (this.url === "") throw new Error("the API did not start");
  }

  /** Resolves when the process is gone. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }

  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** A new person with a personal organization and an API key. */
  async signUp(name: string): Promise<Tenant> {
    const email = `${name}.${crypto.randomUUID()}@example.com`;
    const response = await fetch(`${this.url}/api/auth/sign-up`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name, email, password: "correct horse battery" }),
    });
    const { token, user } = (await response.json()) as { token: string; user: { id: string } };
    const client = createClient({ apiUrl: this.url, token });
    const [organization] = await client.organization.list.query();
    if (!organization) throw new Error("sign-up made no organization");
    const { key, id } = await client.apiKey.create.mutate({ organizationId: organization.id, name: "mcp" });
    return { client, userId: user.id, organizationId: organization.id, apiKey: key, apiKeyId: id };
  }
}

export interface Tenant {
  /** With the person's own session. */
  readonly client: Client;
  readonly userId: string;
  readonly organizationId: string;
  readonly apiKey: string;
  readonly apiKeyId: string;
}
