import { resolve } from "node:path";
import { z } from "zod";

const list = z
  .string()
  .transform((value) => value.split(",").map((item) => item.trim()))
  .pipe(z.array(z.url()));

const environment = z
  .object({
    PORT: z.coerce.number().int().min(0).max(65_535).default(3000),
    HOST: z.string().min(1).default("127.0.0.1"),
    PUBLIC_URL: z.url().optional(),
    WEB_ORIGINS: list.default([]),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\//, "must be a postgres:// URL")
      .optional(),
    DATA_DIR: z.string().min(1).default(".grove"),
    ADMIN_EMAIL_DOMAIN: z.string().min(1).optional(),
    SIGN_UP: z.enum(["open", "invite", "closed"]).default("open"),
    TRUST_PROXY: z.stringbool().default(false),
    LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  })
  .transform((env) => ({
    port: env.PORT,
    host: env.HOST,
    publicUrl: env.PUBLIC_URL,
    webOrigins: env.WEB_ORIGINS,
    databaseUrl: env.DATABASE_URL,
    dataDir: resolve(env.DATA_DIR),
    adminEmailDomain: env.ADMIN_EMAIL_DOMAIN,
    signUp: env.SIGN_UP,
    trustProxy: env.TRUST_PROXY,
    logLevel: env.LOG_LEVEL,
  }));

export type Env = z.infer<typeof environment>;

/**
 * The API's environment. Nothing else reads process.env.
 * @throws Error with one line for each wrong variable
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  // An empty variable is one that is not set: that is how compose files and CI leave them out.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = environment.safeParse(given);
  if (result.success) return result.data;
  throw new Error(result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"));
}
