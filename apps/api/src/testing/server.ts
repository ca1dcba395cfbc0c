import { generateVaultKey, parseVaultKeys, Vault } from "@grove/auth";
import { useTestDatabase } from "@grove/db/testing";
import { signUp as createAccount, password } from "@grove/testing/signUp";
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  splitLink,
  TRPCClientError,
} from "@trpc/client";
import { EventSource } from "eventsource";
import { type CompiledQuery, type KyselyPlugin, PostgresQueryCompiler, type QueryId } from "kysely";
import { afterAll } from "vitest";
import { createLog } from "../lib/log";
import type { AppRouter } from "../router";
import { start } from "../server";
import type { Config } from "../services";
import { checkOutputs } from "../trpc/output";

export const adminDomain = "grove.test";

export { password };

/** A test file signs up more people in a minute than one address may. */
export const unlimited = {
  address: { max: 100_000, windowMs: 60_000 },
  account: { max: 100_000, maxTotal: 100_000, windowMs: 60_000 },
  mail: { max: 100_000, maxTotal: 100_000, windowMs: 60_000 },
  invitationsReceived: { max: 100_000, maxTotal: 100_000, windowMs: 60_000 },
  invitations: { max: 100_000, windowMs: 60_000 },
  deliveries: { max: 100_000, windowMs: 60_000 },
  testNotifications: { max: 100_000, windowMs: 60_000 },
};

/**
 * The test file's own API over real HTTP, on its own database, with every answer checked against its schema; closed
 * after the file's tests. Await it at the top of the file.
 */
export async function useTestServer(config: Partial<Config> = {}) {
  checkOutputs();
  const database = await useTestDatabase();
  const statements: CompiledQuery[] = [];
  const completed: CompiledQuery[] = [];
  const record = recording(statements, completed);
  const server = await start({
    database: {
      ...database,
      db: database.db.withPlugin(record),
      reserved: database.reserved.withPlugin(record),
      slow: database.slow.withPlugin(record),
    },
    config: {
      webOrigins: [],
      signUp: "open",
      trustProxy: false,
      adminEmailDomain: adminDomain,
      limits: unlimited,
      ...config,
    },
    vault: new Vault(parseVaultKeys(generateVaultKey("test"))),
    host: "127.0.0.1",
    port: 0,
    log: createLog("silent"),
  });
  afterAll(() => server.close());
  return {
    ...server,
    database,
    /** The SQL that the server has sent. */
    statements,
    /** The statements that have succeeded, in that order. */
    completed,
    client: (token?: string) => stockClient(server.url, token),
    signUp: (name?: string) => signUp(server.url, name),
    signIn: (email: string) => signIn(server.url, email),
  };
}

/** Records compiled statements: one entry for each statement sent, and one for each that succeeded. */
function recording(statements: CompiledQuery[], completed: CompiledQuery[]): KyselyPlugin {
  const compiler = new PostgresQueryCompiler();
  const sent = new WeakMap<QueryId, CompiledQuery>();
  return {
    transformQuery: ({ node, queryId }) => {
      const statement = compiler.compileQuery(node, queryId);
      statements.push(statement);
      sent.set(queryId, statement);
      return node;
    },
    transformResult: async ({ queryId, result }) => {
      const statement = sent.get(queryId);
      if (statement) completed.push(statement);
      return result;
    },
  };
}

export type TestServer = Awaited<ReturnType<typeof useTestServer>>;

/** tRPC's own client, as anyone would set it up. */
export function stockClient(url: string, token?: string) {
  const endpoint = `${url}/api/trpc`;
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (op) => op.type === "subscription",
        true: httpSubscriptionLink({
          url: endpoint,
          EventSource,
          eventSourceOptions: {
            fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
          },
        }),
        false: httpBatchLink({ url: endpoint, headers }),
      }),
    ],
  });
}

export type StockClient = ReturnType<typeof stockClient>;

/** A new person with a personal organization, signed in. */
export async function signUp(url: string, name = "Ada") {
  const { user, token } = await createAccount(url, name);
  const client = stockClient(url, token);
  const [organization] = await client.organization.list.query();
  if (!organization) throw new Error("sign-up made no organization");
  return { user, token, client, organizationId: organization.id };
}

/** Starts another session of a user who has signed up. */
async function signIn(url: string, email: string) {
  const response = await fetch(`${url}/api/auth/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`sign-in answered ${response.status}: ${await response.text()}`);
  const { token } = (await response.json()) as { token: string };
  const client = stockClient(url, token);
  const current = (await client.user.listSessions.query()).find((session) => session.current);
  if (!current) throw new Error("the session is not among its user's");
  return { token, client, sessionId: current.id };
}

export type Person = Awaited<ReturnType<typeof signUp>>;

/** The facts of an API error, for `expect`. */
export async function failure(call: Promise<unknown>) {
  try {
    await call;
  } catch (error) {
    if (error instanceof TRPCClientError)
      return { code: error.data?.code, reason: error.data?.reason, message: error.message, data: error.data };
    throw error;
  }
  throw new Error("The call succeeded.");
}
