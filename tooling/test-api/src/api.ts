import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Started } from "@grove/testing/process";
import { listening, startApi } from "./program";
import { copyDatabase } from "./template";
import { signUp, type Tenant } from "./tenant";

/** The built API in its own process, on an embedded database in its own directory. */
export class TestApi {
  /** The address that the API listens on; empty until it has been started. */
  url = "";
  #directory = "";
  #preparing: Promise<void> | undefined;
  #removed = false;
  #program: Started | undefined;
  readonly #env: Record<string, string>;
  readonly #path: string | undefined;

  /** @param path of another copy of the program */
  constructor(env: Record<string, string> = {}, path?: string) {
    this.#env = env;
    this.#path = path;
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
    this.#program = startApi({ ...this.#env, PORT, DATA_DIR: this.dataDir }, this.#path);
    this.url = await listening(this.#program);
  }

  /** Ends the process, and resolves when it is gone. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#program?.end(signal);
  }

  /** Ends the process and removes its data. */
  async remove(): Promise<void> {
    this.#removed = true;
    await this.#preparing?.catch(() => undefined);
    await this.stop("SIGKILL");
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Signs a new person up. */
  signUp(name?: string): Promise<Tenant> {
    return signUp(this.url, name);
  }
}
