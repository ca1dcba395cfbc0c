import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase, runStatement } from "@grove/testing/postgres";
import { type Started, succeed } from "@grove/testing/process";
import { listening, program, startApi } from "./program";
import { signUp, type Tenant } from "./tenant";

/** Required with PostgreSQL; the embedded database has a key in its directory. */
const CREDENTIALS_KEY = `1:${randomBytes(32).toString("base64")}`;

export interface TestApiOptions {
  /** The URL of a PostgreSQL server. An API starts on it in a fifth of the time. */
  server?: string | undefined;
  /** The path of another copy of the program. */
  path?: string;
}

/** The built API in its own process, with a new database: on a PostgreSQL server if it gets one, otherwise embedded. */
export class TestApi {
  /** The address that the API listens on; empty until it has been started. */
  url = "";
  /** The URL of its PostgreSQL database. Empty before the start, and always for an embedded database. */
  databaseUrl = "";
  #directory = "";
  #prepared: Promise<void> | undefined;
  #removed = false;
  #program: Started | undefined;
  #database: Awaited<ReturnType<typeof createDatabase>> | undefined;
  readonly #env: Record<string, string>;
  readonly #from: TestApiOptions;

  constructor(env: Record<string, string> = {}, from: TestApiOptions = {}) {
    this.#env = env;
    this.#from = from;
  }

  /** The data directory, once the API has been started. */
  get dataDir(): string {
    return join(this.#directory, "data");
  }

  /** Starts the API; a second time on the same port and data. Resolves when it listens. */
  async start(): Promise<void> {
    this.#directory ||= mkdtempSync(join(tmpdir(), "grove-test-api-"));
    this.#prepared ??= this.#createDatabase();
    await this.#prepared;
    // Removed while it started.
    if (this.#removed) throw new Error("the API did not start");
    const PORT = this.url === "" ? (this.#env.PORT ?? "0") : new URL(this.url).port;
    const database = this.#database && { DATABASE_URL: this.#database.url, CREDENTIALS_KEY };
    this.#program = startApi({ ...this.#env, ...database, PORT, DATA_DIR: this.dataDir }, this.#from.path);
    this.url = await listening(this.#program);
  }

  async #createDatabase(): Promise<void> {
    const { server } = this.#from;
    if (server === undefined) return;
    this.#database = await createDatabase(server);
    this.databaseUrl = this.#database.url;
  }

  /** Runs a statement in the PostgreSQL database: for rows that calls would take too long to make. */
  async write(statement: string, values: unknown[]): Promise<void> {
    if (this.databaseUrl === "")
      throw new Error("the API has an embedded database, which only its process can open");
    await runStatement(this.databaseUrl, statement, values);
  }

  /** The end of what the process has printed since its last start: its log, in lines of JSON. */
  get output(): string {
    return this.#program?.output ?? "";
  }

  /** Writes everything that the PostgreSQL database holds into a file, as `grove-api backup` does. */
  async backUp(path: string): Promise<void> {
    const env = { PATH: process.env.PATH, DATABASE_URL: this.databaseUrl, CREDENTIALS_KEY };
    await succeed([process.execPath, this.#from.path ?? program, "backup", path], { env });
  }

  /** Ends the process, and resolves when it has exited. */
  async stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    await this.#program?.end(signal);
  }

  /** Ends the process and removes its data. */
  async remove(): Promise<void> {
    this.#removed = true;
    await this.#prepared?.catch(() => undefined);
    await this.stop("SIGKILL");
    await this.#database?.drop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Signs a new person up. */
  signUp(name?: string): Promise<Tenant> {
    return signUp(this.url, name);
  }
}
