import { readEnvironment, serverEnv } from "@grove/mcp";
import { credentialPrefixes, DEFAULT_API_URL, id } from "@grove/schemas";
import * as z from "zod";

const shape = {
  ...serverEnv,
  API_URL: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).default(DEFAULT_API_URL),
  API_KEY: z.string().optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional(),
  GROVE_WORKSPACE_ID: id.optional().catch(undefined),
  SERVICE_NAME: z.string().trim().min(1).max(100).default("grove"),
};

/** The meaning of each variable, for --help. */
export const environment = {
  API_URL: `where the Grove API is (default ${DEFAULT_API_URL})`,
  API_KEY: `an API key of your organization (${credentialPrefixes.api_key}…); without one every tool answers: Authentication required`,
  API_KEY_FILE: "a file with that key, instead of API_KEY",
  PUBLIC_URL: "with --http: the server's public address, unless that is this machine",
  OTEL_EXPORTER_OTLP_ENDPOINT:
    "an OpenTelemetry collector that receives traces; without it nothing is traced",
  GROVE_WORKSPACE_ID:
    "the workspace that tools use when none is given, but not with --http; set for agents that Grove starts",
  SERVICE_NAME: "the name this server reports (default grove)",
};

/**
 * The server's environment. Nothing else reads process.env.
 * @throws {Exit} 1 with one line for each invalid variable
 */
export function readEnv(source: NodeJS.ProcessEnv = process.env) {
  const env = readEnvironment(shape, source, ["API_KEY"]);
  return {
    apiUrl: env.API_URL,
    apiKey: env.API_KEY,
    publicUrl: env.PUBLIC_URL,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    workspaceId: env.GROVE_WORKSPACE_ID,
    serviceName: env.SERVICE_NAME,
    logLevel: env.LOG_LEVEL,
    narrowing: { readOnly: env.READ_ONLY, tools: env.TOOLS },
  };
}
