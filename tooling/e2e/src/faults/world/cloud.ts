import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { runProgram } from "@grove/api/program";
import { type Client, createClient } from "@grove/client";
import { signUp } from "@grove/test-api/tenant";
import { freePort } from "@grove/testing/freePort";
import { createDatabase } from "@grove/testing/postgres";
import { until } from "@grove/testing/until";
import pg from "pg";
import type { Machine } from "../../support/machine";
import { packageDirectory } from "../../support/programs";
import { Program } from "./program";

const api = join(packageDirectory("@grove/api"), "dist", "main.js");

/** The times of the API's sweeper, as the API documents them. */
export type SweeperTimes = NonNullable<Parameters<typeof runProgram>[0]>;

/** The built program, or, if times for its sweeper are given, the program from source with these times. */
const programOf = (sweeper: SweeperTimes | undefined, clock: string): string[] =>
  sweeper
    ? [
        process.execPath,
        "--import",
        import.meta.resolve("tsx"),
        "--import",
        new URL(`clock.ts?file=${encodeURIComponent(clock)}`, import.meta.url).href,
        fileURLToPath(new URL("api.ts", import.meta.url)),
        "serve",
        JSON.stringify(sweeper),
      ]
    : [process.execPath, api];

/** One process of the API, always on the same port. */
export class ApiInstance extends Program {
  readonly port: number;
  readonly #clock: string;

  /** @param directory for its files */
  constructor(port: number, env: NodeJS.ProcessEnv, directory: string, sweeper?: SweeperTimes) {
    const clock = join(directory, `clock of ${port}`);
    super(programOf(sweeper, clock), { ...env, PORT: `${port}` });
    this.port = port;
    this.#clock = clock;
  }

  /** Sets its clock, compared with the others' clocks. Only an instance with times for its sweeper can do that. */
  setClock(aheadMs: number): Promise<void> {
    return writeFile(this.#clock, `${aheadMs}`);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the API, and resolves when it listens. */
  async listen(): Promise<void> {
    const output = this.start();
    await until(() => {
      if (!this.running) throw new Error(`The API ended: ${output()}`);
      return output().includes('"msg":"listening"');
    }, "the API listens");
  }
}

/** An organization on one or more API processes that share a database. */
export interface Cloud {
  instances: ApiInstance[];
  first: ApiInstance;
  databaseUrl: string;
  organizationId: string;
  apiKey: string;
  /** A client for an instance, with an API key. */
  client(instance?: ApiInstance): Client;
  /** A client for an instance, with the session of the person who owns the key. */
  person(instance?: ApiInstance): Client;
  userId: string;
  /** Runs a statement in the database, past the API. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Ends every connection to the database but this one. */
  cutDatabase(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts `count` instances of the API on a new database, and signs a user up.
 */
export async function startCloud(
  postgresUrl: string,
  machine: Machine,
  count = 1,
  sweeper?: SweeperTimes,
  apiEnv: NodeJS.ProcessEnv = {},
): Promise<Cloud> {
  const { url: databaseUrl, drop } = await createDatabase(postgresUrl);
  const env = {
    ...machine.env,
    DATABASE_URL: databaseUrl,
    CREDENTIALS_KEY: `1:${randomBytes(32).toString("base64")}`,
    LOG_LEVEL: "info",
    ...apiEnv,
  };
  const instances: ApiInstance[] = [];
  for (let n = 0; n < count; n++) {
    instances.push(new ApiInstance(await freePort(), env, machine.temporary, sweeper));
  }
  const [first] = instances;
  if (!first) throw new Error("A cloud has at least one instance.");
  const query = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  };
  const end = async () => {
    await Promise.all(instances.map((instance) => instance.kill()));
    await drop();
  };
  try {
    for (const instance of instances) await instance.listen();
    const { organizationId, apiKey, token, userId } = await signUp(first.url);
    return {
      instances,
      first,
      databaseUrl,
      organizationId,
      apiKey,
      userId,
      client: (instance = first) => createClient({ apiUrl: instance.url, token: apiKey }),
      person: (instance = first) => createClient({ apiUrl: instance.url, token }),
      query,
      cutDatabase: async () => {
        await query(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
        );
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
