import * as z from "zod";
import type { Server, Setting } from "./servers";

const SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/** A version, not a range: the registry refuses `latest`, `^1.2.3`, `1.x`. */
const version = z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/);
const transport = z.strictObject({ type: z.literal("stdio") });

const variable = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  format: z.enum(["string", "boolean"]),
  isRequired: z.boolean(),
  isSecret: z.boolean(),
  default: z.string().optional(),
});

/**
 * The part of the registry's `server.json` (schema 2025-12-11) that Grove uses, as strict as the registry itself: it
 * refuses some files that its published schema accepts.
 */
export const serverJson = z.strictObject({
  $schema: z.literal(SCHEMA),
  /** Reverse DNS, a slash, the server's name. It must equal `mcpName` in the manifest of the server's npm package. */
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version,
  repository: z.strictObject({ url: z.url(), source: z.literal("github"), subfolder: z.string() }).optional(),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal("npm"),
      identifier: z.string(),
      version,
      runtimeHint: z.literal("npx"),
      transport,
      environmentVariables: z.array(variable),
    }),
    z.strictObject({
      registryType: z.literal("mcpb"),
      identifier: z.url({ protocol: /^https$/ }).regex(/mcp/),
      version,
      fileSha256: z.string().regex(/^[a-f0-9]{64}$/),
      transport,
    }),
  ]),
});

/**
 * Describes a server to the registry.
 * @param bundle the address of the server's bundle, and its checksum
 * @throws {ZodError} if the registry would refuse it
 */
export const describeServer = (
  { name, version, description, mcpName, title, settings, repository }: Server,
  bundle: { url: string; sha256: string },
): z.infer<typeof serverJson> =>
  serverJson.parse({
    $schema: SCHEMA,
    name: mcpName,
    title,
    description,
    version,
    ...(repository && {
      repository: { url: repository.url, source: "github", subfolder: repository.directory },
    }),
    packages: [
      {
        registryType: "npm",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
        environmentVariables: Object.entries(settings).map(toVariable),
      },
      // The bundle's own manifest asks for the settings.
      {
        registryType: "mcpb",
        identifier: bundle.url,
        version,
        fileSha256: bundle.sha256,
        transport: { type: "stdio" },
      },
    ],
  });

const toVariable = ([name, setting]: [string, Setting]) => ({
  name,
  description: setting.description,
  format: setting.type,
  isRequired: setting.default === undefined,
  isSecret: setting.isSecret ?? false,
  ...(setting.default !== undefined && setting.default !== "" && { default: String(setting.default) }),
});
