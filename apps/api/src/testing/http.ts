import { createAuth, generateVaultKey, parseVaultKeys, Vault } from "@grove/auth";
import { newId } from "@grove/db";
import { useTestDatabase } from "@grove/db/testing";
import { Integrations } from "@grove/integrations";
import type { LightMyRequestResponse } from "fastify";
import { afterAll } from "vitest";
import { batchChunks } from "../agentSessions/append";
import { Dispatch } from "../dispatch/dispatch";
import { batchEventReads } from "../events/batchEventReads";
import { createServer } from "../http/server";
import { Lease } from "../instance/lease";
import { createLog } from "../lib/log";
import { Mailer } from "../lib/mailer";
import { CallerLimits } from "../limits/callerLimits";
import { noDisk } from "../limits/disk";
import { LoadShedder } from "../limits/loadShedder";
import { Quotas } from "../limits/quotas";
import { createLimits } from "../limits/rateLimits";
import { Live } from "../live/live";
import type { Config } from "../services";
import { CredentialLookups } from "../trpc/credentialLookups";
import { password, unlimited } from "./server";

/** For test files: the whole server without a port, on the file's own database; closed after the file's tests. */
export async function useHttpServer(config: Partial<Config> = {}) {
  const database = await useTestDatabase();
  const log = createLog("silent");
  const drain = new AbortController();
  const lease = new Lease(database.db, log);
  const callers = new CallerLimits();
  const loadShedder = new LoadShedder();
  const build = async (own: Partial<Config>) => {
    const full: Config = {
      webOrigins: [],
      signUp: "open",
      trustProxy: false,
      limits: unlimited,
      ...own,
    };
    const secureCookies = full.publicUrl?.startsWith("https:") ?? false;
    const auth = createAuth({ db: database.db, secureCookies, log });
    const mailer = new Mailer(full.smtp, full.publicUrl ?? "http://localhost", log);
    const server = await createServer({
      config: full,
      database,
      auth,
      integrations: new Integrations(),
      lease,
      dispatch: new Dispatch(database, lease, log),
      readEvents: batchEventReads(database.db),
      appendChunk: batchChunks(database),
      live: new Live(database, log),
      mailer,
      consoleUrl: full.publicUrl ?? "http://localhost",
      limits: createLimits(full.limits),
      callers,
      loadShedder,
      lookups: new CredentialLookups(auth, callers, loadShedder),
      quotas: new Quotas(full.quotas),
      disk: noDisk,
      vault: new Vault(parseVaultKeys(generateVaultKey("test"))),
      log,
      release: "test",
      stopping: drain.signal,
      draining: drain.signal,
    });
    afterAll(async () => {
      await server.close();
      await mailer.close();
    });
    return server;
  };
  const server = await build(config);
  afterAll(() => {
    callers.close();
  });

  /** POSTs JSON, by default without a browser's headers. */
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    server.inject({ method: "POST", url, payload, headers });

  /** Signs a new person up. */
  const person = async (name = "Ada Lovelace") => {
    const email = `${newId()}@example.com`;
    const response = await post("/api/auth/sign-up", { email, password, name });
    const { user, token } = response.json<{ user: { id: string; email: string }; token: string }>();
    return { user, token, response };
  };

  return { ...database, server, build, drain, post, person };
}

/** The facts of an error answer, for `expect`. */
export function failure(response: LightMyRequestResponse) {
  const { error } = response.json<{
    error: {
      message: string;
      data: { code: string; httpStatus: number; requestId: string; reason?: string };
    };
  }>();
  const { code, httpStatus, reason } = error.data;
  return { status: response.statusCode, httpStatus, code, reason };
}
