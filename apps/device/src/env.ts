import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { readSecretFiles } from "@grove/environment";
import { credentialPrefixes as prefixes } from "@grove/schemas";
import * as z from "zod";

const environment = z
  .object({
    API_URL: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional(),
    DEVICE_KEY: z
      .string()
      .startsWith(prefixes.device, `must be a device key (it begins with ${prefixes.device})`)
      .optional(),
    API_KEY: z
      .string()
      .refine(
        (key) => key.startsWith(prefixes.api_key) || key.startsWith(prefixes.session),
        `must be an API key (it begins with ${prefixes.api_key})`,
      )
      .optional(),
    GROVE_HOME: z.string().default(() => join(homedir(), ".grove")),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/, error: "must be an http or https address" })
      .optional(),
    LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  })
  .transform((env) => ({
    apiUrl: env.API_URL?.replace(/\/+$/, ""),
    deviceKey: env.DEVICE_KEY,
    apiKey: env.API_KEY,
    groveHome: resolve(env.GROVE_HOME),
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: env.LOG_LEVEL,
  }));

/** The variables that hold a secret, each of which may also be given as the file `<NAME>_FILE`. */
const secrets = ["API_KEY", "DEVICE_KEY"];

export type Env = z.infer<typeof environment> & {
  /** The environment of git and other programs, without our secrets and the variables that lead to more of them. */
  forPrograms: NodeJS.ProcessEnv;
};

/**
 * Reads the device agent's environment. Nothing else reads process.env.
 * @throws {Error} with one line for each wrong variable, never with a secret's value
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const result = environment.safeParse(readSecretFiles(source, secrets));
  if (!result.success)
    throw new Error(
      result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("\n"),
    );
  const ours = ["API_URL", "GROVE_HOME", ...secrets, ...secrets.map((name) => `${name}_FILE`)];
  const forPrograms = Object.fromEntries(Object.entries(source).filter(([name]) => !ours.includes(name)));
  return { ...result.data, forPrograms };
}

/** The name under which people run this program. A launcher that wraps it sets its own. */
export const commandName = (source: NodeJS.ProcessEnv = process.env): string =>
  source.GROVE_COMMAND || "grove-device";
