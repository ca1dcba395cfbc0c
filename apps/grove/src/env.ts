import { homedir } from "node:os";
import { resolve } from "node:path";
import * as z from "zod";
import { UserError } from "./errors";

const environment = z.object({
  DATA_DIR: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  PORT: z
    .string()
    .regex(/^\d+$/, "must be a number")
    .transform(Number)
    .pipe(z.number().max(65_535))
    .optional(),
  LOG_LEVEL: z.string().optional(),
  /** Where the user ran a package manager's script; the script itself runs in the package's directory. */
  INIT_CWD: z.string().optional(),
});

/** Settings and credentials of other programs: the device, and the git and coding agents it starts, go without. */
const NOT_FOR_THE_DEVICE = [
  ...[
    "PORT",
    "HOST",
    "PUBLIC_URL",
    "WEB_ORIGINS",
    "ALLOWED_HOSTS",
    "DATABASE_URL",
    "DATA_DIR",
    "ADMIN_EMAIL_DOMAIN",
    "SERVICE_NAME",
    "GROVE_COMMAND",
  ],
  ...["CREDENTIALS_KEY", "SIGN_UP", "TRUST_PROXY", "METRICS_TOKEN", "SMTP_URL", "SMTP_FROM"],
  ...["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET", "PRIVATE_PROVIDER_HOSTS"],
  ...["API_URL", "API_KEY", "DEVICE_KEY", "GROVE_HOME"],
];
/** The OAuth apps that organizations are connected with. */
const isOAuthClient = (name: string) => /^INTEGRATION_\w+_CLIENT_(ID|SECRET)$/.test(name);

export interface Env {
  /** Of DATA_DIR, else `.grove` where the user is. */
  dataDir: string;
  /** Whether DATA_DIR is set. */
  dataDirIsGiven: boolean;
  /** The user's own directory. */
  home: string;
  path: string | undefined;
  databaseUrl: string | undefined;
  port: number | undefined;
  /** A path as the user means it: relative to where they are. */
  resolve(path: string): string;
  /** For the API as a server on its own: what the launcher was given. */
  forBareApi: NodeJS.ProcessEnv;
  /** For the API of local mode, which listens on loopback only, and where nobody but the owner signs up. */
  forApi: NodeJS.ProcessEnv;
  forDevice: NodeJS.ProcessEnv;
}

/**
 * The launcher's environment. Nothing else reads process.env.
 * @throws {UserError} with one line for each wrong variable
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  // An empty variable is one that is not set: that is how compose files and CI leave them out.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ""));
  const result = environment.safeParse(given);
  if (!result.success)
    throw new UserError(
      result.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"),
    );
  const { DATA_DIR, DATABASE_URL, PORT, LOG_LEVEL, INIT_CWD = process.cwd() } = result.data;
  const dataDir = resolve(INIT_CWD, DATA_DIR ?? ".grove");
  // The launcher listens to what its programs log: they may say more than usual, but not less.
  const logging = { LOG_LEVEL: ["debug", "trace"].find((level) => level === LOG_LEVEL) ?? "info" };
  const forDevice = Object.entries(source).filter(
    ([name]) => !NOT_FOR_THE_DEVICE.includes(name) && !isOAuthClient(name),
  );
  return {
    dataDir,
    dataDirIsGiven: DATA_DIR !== undefined,
    home: homedir(),
    path: source.PATH,
    databaseUrl: DATABASE_URL,
    port: PORT,
    resolve: (path) => resolve(INIT_CWD, path),
    forBareApi: { ...source, DATA_DIR: dataDir },
    forApi: { ...source, ...logging, HOST: "127.0.0.1", SIGN_UP: "first" },
    forDevice: { ...Object.fromEntries(forDevice), ...logging },
  };
}
