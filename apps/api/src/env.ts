import { resolve } from "node:path";
import { parseVaultKeys } from "@grove/auth";
import { readSecretFiles } from "@grove/environment";
import { type IntegrationsOptions, oauthProviders } from "@grove/integrations";
import { DEFAULT_PORT, messageOf } from "@grove/schemas";
import * as z from "zod";
import { whyNoConnectionUrl } from "./connectionUrl";
import { enterpriseEndpoints } from "./signIn/githubApi";

const webUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

/** Whether a URL is a bare origin, apart from a trailing slash. `webUrl` already rejects values that are not a URL. */
const isOrigin = (value: string) =>
  !/^https?:/.test(value) || !URL.canParse(value) || `${new URL(value).origin}/` === new URL(value).href;

/** Browsers send no path in `Origin`. */
const origin = webUrl
  .refine(isOrigin, {
    error: "must be origins, such as https://app.example.com, without a path, a query or a password",
    abort: true,
  })
  .transform((value) => new URL(value).origin);

/** The console and the addresses of webhooks are at the root of a host. */
const publicUrl = webUrl
  .refine(isOrigin, {
    error:
      "must be an origin, such as https://grove.example.com: Grove needs a host name of its own, and does not work below a path. Remove the path, the query and the password",
    abort: true,
  })
  .transform((value) => new URL(value).origin);

const origins = z
  .string()
  .transform((value) => value.split(",").map((item) => item.trim()))
  .pipe(z.array(origin));

const hosts = z
  .string()
  .transform((value) => value.split(",").map((item) => item.trim()))
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^([\w.:-]+|\[[\da-f:.]+\](:\d+)?)$/i,
          "must be host names or addresses, without a scheme, as host or host:port",
        ),
    ),
  );

const allowedHosts = z
  .string()
  .transform((value) => value.split(",").map((item) => item.trim()))
  .pipe(
    z.array(
      z
        .string()
        .regex(/^([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?$/, "must be host names, each with or without a port"),
    ),
  );

const clientVariables = (provider: string) => {
  const prefix = `INTEGRATION_${provider.toUpperCase()}_CLIENT`;
  return { id: `${prefix}_ID`, secret: `${prefix}_SECRET` };
};

/** OAuth apps at providers: each needs both its id and its secret, and a PUBLIC_URL for the callback. */
const oauthClients = z
  .record(z.string(), z.string())
  .transform((env, { addIssue }): IntegrationsOptions["oauthClients"] => {
    const clients: IntegrationsOptions["oauthClients"] = {};
    for (const provider of oauthProviders) {
      const { id, secret } = clientVariables(provider);
      const [clientId, clientSecret] = [env[id], env[secret]];
      if (clientId !== undefined && clientSecret !== undefined)
        clients[provider] = { clientId, clientSecret };
      else if (clientId !== undefined)
        addIssue({ code: "custom", path: [secret], message: `is required with ${id}` });
      else if (clientSecret !== undefined)
        addIssue({ code: "custom", path: [id], message: `is required with ${secret}` });
      if (clientId !== undefined && env.PUBLIC_URL === undefined)
        addIssue({ code: "custom", path: ["PUBLIC_URL"], message: `is required with ${id}` });
    }
    return clients;
  });

const vaultKeys = z.string().transform((value, { addIssue }) => {
  try {
    return parseVaultKeys(value);
  } catch (error) {
    addIssue(messageOf(error));
    return z.NEVER;
  }
});

const isSet = (env: unknown, name: string) =>
  typeof env === "object" && env !== null && Reflect.get(env, name) !== undefined;

/** Requires the second variable when the first is set. */
const bothOrNeither = (first: string, second: string) => ({
  path: [second],
  error: `is required with ${first}`,
  // Runs even when another variable is wrong, so that all errors are reported together.
  when: ({ value }: { value: unknown }) => isSet(value, first),
});

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

/** An address with a name and a password. The message never has the value, which is a secret. */
const connectionUrl = (pattern: RegExp, error: string) =>
  z.string().superRefine((value, { addIssue }) => {
    const message = pattern.test(value) ? whyNoConnectionUrl(value) : error;
    if (message !== undefined) addIssue({ code: "custom", message });
  });

const postgresUrl = connectionUrl(/^postgres(ql)?:\/\//, "must be a postgres:// URL");

const environment = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(DEFAULT_PORT),
    HOST: z.string().min(1).default("127.0.0.1"),
    PUBLIC_URL: publicUrl.optional(),
    WEB_ORIGINS: origins.default([]),
    ALLOWED_HOSTS: allowedHosts.default([]),
    DATABASE_URL: postgresUrl.optional(),
    DATABASE_DIRECT_URL: postgresUrl.optional(),
    MIGRATE: z.stringbool({ error: "must be on or off" }).default(true),
    DATA_DIR: z.string().min(1).default(".grove"),
    ADMIN_EMAIL_DOMAIN: z.string().min(1).optional(),
    CREDENTIALS_KEY: vaultKeys.optional(),
    OWNER_EMAIL: z.email({ error: "must be an email address" }).toLowerCase().optional(),
    SIGN_UP: z.enum(["open", "invite", "first", "closed"]).default("open"),
    TRUST_PROXY: z
      .union([z.stringbool(), z.coerce.number().int().min(1).max(10)], {
        error: "must be true, false or how many proxies there are",
      })
      .default(false),
    SMTP_URL: connectionUrl(/^smtps?:\/\//, "must be an smtp:// or smtps:// URL").optional(),
    SMTP_FROM: z.string().min(3).optional(),
    SERVICE_NAME: z.string().trim().min(1).max(100).default("grove"),
    GITHUB_CLIENT_ID: z.string().min(1).optional(),
    GITHUB_CLIENT_SECRET: z.string().min(1).optional(),
    GITHUB_URL: webUrl.transform((value) => value.replace(/\/+$/, "")).optional(),
    PRIVATE_PROVIDER_HOSTS: hosts.default([]),
    PUSH_HOSTS: hosts.default([]),
    METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: webUrl.optional(),
    WEB_DIR: z.string().min(1).optional(),
    DRAIN_SECONDS: z.coerce.number().min(0).max(300).default(0),
    ANALYTICS_DAYS: z.coerce.number().int().min(1).max(36_500).optional(),
    LOCAL: z.stringbool().default(false),
    LINK_COMMAND: z.string().min(1).max(5_000).default("grove link"),
    LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  })
  .refine((env) => env.DATABASE_URL === undefined || env.CREDENTIALS_KEY !== undefined, {
    path: ["CREDENTIALS_KEY"],
    error:
      'is required with DATABASE_URL: "<id>:<32 bytes in base64>", for instance 1:$(openssl rand -base64 32)',
    // Runs even when another variable is wrong, so that all errors are reported together.
    when: ({ value }) => isSet(value, "DATABASE_URL"),
  })
  .refine((env) => env.DATABASE_URL !== undefined, bothOrNeither("DATABASE_DIRECT_URL", "DATABASE_URL"))
  .refine((env) => env.SMTP_FROM !== undefined, bothOrNeither("SMTP_URL", "SMTP_FROM"))
  .refine((env) => env.SMTP_URL !== undefined, bothOrNeither("SMTP_FROM", "SMTP_URL"))
  .refine(
    (env) => env.GITHUB_CLIENT_SECRET !== undefined,
    bothOrNeither("GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"),
  )
  .refine(
    (env) => env.GITHUB_CLIENT_ID !== undefined,
    bothOrNeither("GITHUB_CLIENT_SECRET", "GITHUB_CLIENT_ID"),
  )
  .refine((env) => env.PUBLIC_URL !== undefined, bothOrNeither("GITHUB_CLIENT_ID", "PUBLIC_URL"))
  .transform((env) => ({
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL,
    webOrigins: env.WEB_ORIGINS,
    allowedHosts: env.ALLOWED_HOSTS,
    databaseUrl: env.DATABASE_URL,
    databaseDirectUrl: env.DATABASE_DIRECT_URL,
    migrates: env.MIGRATE,
    dataDir: resolve(env.DATA_DIR),
    adminEmailDomain: env.ADMIN_EMAIL_DOMAIN,
    vaultKeys: env.CREDENTIALS_KEY,
    ownerEmail: env.OWNER_EMAIL,
    signUp: env.SIGN_UP,
    trustProxy: env.TRUST_PROXY,
    smtp:
      env.SMTP_URL && env.SMTP_FROM
        ? { url: env.SMTP_URL, from: env.SMTP_FROM, service: env.SERVICE_NAME }
        : undefined,
    github:
      env.GITHUB_CLIENT_ID && env.GITHUB_CLIENT_SECRET
        ? {
            clientId: env.GITHUB_CLIENT_ID,
            clientSecret: env.GITHUB_CLIENT_SECRET,
            ...(env.GITHUB_URL !== undefined && { endpoints: enterpriseEndpoints(env.GITHUB_URL) }),
          }
        : undefined,
    pushHosts: env.PUSH_HOSTS,
    integrations: { privateHosts: env.PRIVATE_PROVIDER_HOSTS },
    metricsToken: env.METRICS_TOKEN,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    webDir: env.WEB_DIR === undefined ? undefined : resolve(env.WEB_DIR),
    // Local mode's routes are for this machine's owner alone.
    local: env.LOCAL && env.DATABASE_URL === undefined && isLoopback(env.HOST),
    linkCommand: env.LINK_COMMAND,
    drainMs: env.DRAIN_SECONDS * 1_000,
    analyticsDays: env.ANALYTICS_DAYS,
    logLevel: env.LOG_LEVEL,
  }));

export type Env = Omit<z.infer<typeof environment>, "integrations"> & { integrations: IntegrationsOptions };

/** The variables that may hold a secret: each may also be given as `<NAME>_FILE`, the path of a file that holds it. */
const secrets = [
  "DATABASE_URL",
  "DATABASE_DIRECT_URL",
  "CREDENTIALS_KEY",
  "SMTP_URL",
  "GITHUB_CLIENT_SECRET",
  "METRICS_TOKEN",
  ...oauthProviders.map((provider) => clientVariables(provider).secret),
];

/**
 * The API's environment. Nothing else reads process.env.
 * @throws {Error} with one line for each wrong variable
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const variables = readSecretFiles(source, secrets);
  const result = environment.safeParse(variables);
  const clients = oauthClients.safeParse(variables);
  if (result.success && clients.success)
    return { ...result.data, integrations: { ...result.data.integrations, oauthClients: clients.data } };
  const issues = [...(result.error?.issues ?? []), ...(clients.error?.issues ?? [])];
  throw new Error(issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
}
