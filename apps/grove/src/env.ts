import { homedir } from "node:os";
import { resolve } from "node:path";
import * as z from "zod";
import { UserError } from "./errors";

const environment = z.object({
  DATA_DIR: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  DATABASE_URL_FILE: z.string().optional(),
  PORT: z
    .string()
    .regex(/^\d+$/, "must be a number")
    .transform(Number)
    .pipe(z.number().max(65_535))
    .optional(),
  LOG_LEVEL: z.string().optional(),
  API_KEY: z.string().optional(),
  /** The command of npm that runs this program: `start`, or `exec` for npx. */
  npm_command: z.string().optional(),
  /** The directory in which the user ran a package manager's script. The script itself runs in the package's. */
  INIT_CWD: z.string().optional(),
});

/** Settings and credentials of other programs. The device, and the git and coding agents that it starts, get none. */
const NOT_FOR_THE_DEVICE = [
  ...[
    "PORT",
    "HOST",
    "PUBLIC_URL",
    "WEB_ORIGINS",
    "ALLOWED_HOSTS",
    "DATABASE_URL",
    "DATABASE_DIRECT_URL",
    "MIGRATE",
    "DRAIN_SECONDS",
    "ANALYTICS_DAYS",
    "DATA_DIR",
    "ADMIN_EMAIL_DOMAIN",
    "OWNER_EMAIL",
    "SERVICE_NAME",
    "WEB_DIR",
    "LOCAL",
    "LINK_COMMAND",
    "GROVE_COMMAND",
  ],
  ...["CREDENTIALS_KEY", "SIGN_UP", "TRUST_PROXY", "METRICS_TOKEN", "SMTP_URL", "SMTP_FROM"],
  ...["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET", "GITHUB_URL", "PRIVATE_PROVIDER_HOSTS", "PUSH_HOSTS"],
  ...["API_URL", "API_KEY", "DEVICE_KEY", "GROVE_HOME"],
];
/** Whether a variable is listed above, or is a setting of an OAuth app for integrations. */
const isOthers = (name: string) =>
  NOT_FOR_THE_DEVICE.includes(name) || /^INTEGRATION_\w+_CLIENT_(ID|SECRET)$/.test(name);

export interface Env {
  /** DATA_DIR, otherwise `.grove` in the user's current directory. */
  dataDir: string;
  /** Whether DATA_DIR is set. */
  dataDirIsGiven: boolean;
  /** The user's home directory. */
  home: string;
  path: string | undefined;
  /** Whether a database server is given, by DATABASE_URL or as a file. */
  hasDatabase: boolean;
  port: number | undefined;
  /** Whether npm or npx has started this process. */
  isRunByNpm: boolean;
  /** The caller's key at a team's server. */
  apiKey: string | undefined;
  /** Resolves a path against the user's current directory. */
  resolve(path: string): string;
  /** For the API as a server on its own: the launcher's own environment. */
  forBareApi: NodeJS.ProcessEnv;
  /** For the API of local mode, which listens only on loopback, and where only the owner can sign up. */
  forApi: NodeJS.ProcessEnv;
  forDevice: NodeJS.ProcessEnv;
}

/**
 * Reads the launcher's environment. Nothing else reads process.env.
 * @throws {UserError} with one line for each invalid variable
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  // Compose files and CI leave out a variable by setting it to an empty string.
  const setVariables = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = environment.safeParse(setVariables);
  if (!result.success)
    throw new UserError(
      result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"),
    );
  const {
    DATA_DIR,
    DATABASE_URL,
    DATABASE_URL_FILE,
    PORT,
    LOG_LEVEL,
    INIT_CWD = process.cwd(),
  } = result.data;
  const dataDir = resolve(INIT_CWD, DATA_DIR ?? ".grove");
  // The launcher reads its programs' logs, so they may log more than usual, but not less.
  const logging = { LOG_LEVEL: ["debug", "trace"].find((level) => level === LOG_LEVEL) ?? "info" };
  const forDevice = Object.entries(source).filter(([name]) => !isOthers(name.replace(/_FILE$/, "")));
  return {
    dataDir,
    dataDirIsGiven: DATA_DIR !== undefined,
    home: homedir(),
    path: source.PATH,
    apiKey: result.data.API_KEY,
    hasDatabase: (DATABASE_URL ?? DATABASE_URL_FILE) !== undefined,
    port: PORT,
    isRunByNpm: result.data.npm_command !== undefined,
    resolve: (path) => resolve(INIT_CWD, path),
    forBareApi: { ...source, DATA_DIR: dataDir },
    forApi: { ...source, ...logging, HOST: "127.0.0.1", SIGN_UP: "first", LOCAL: "true" },
    forDevice: { ...Object.fromEntries(forDevice), ...logging },
  };
}
