import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { toPublished } from "@grove/release/manifest";
import * as z from "zod";

/** A setting that a client asks its user for, and passes to the server in an environment variable. */
export interface Setting {
  readonly title: string;
  readonly description: string;
  readonly type: "string" | "boolean";
  /** Shown hidden and kept in the system's keychain. */
  readonly isSecret?: true;
  /** Without one, the user must give a value. */
  readonly default?: string | boolean;
}

interface Shown {
  /** The address of the manifest of its package, which has been built. */
  readonly manifest: string;
  readonly title: string;
  readonly settings: Readonly<Record<string, Setting>>;
}

const readOnly: Setting = {
  title: "Read only",
  description: "Offers only the tools that change nothing",
  type: "boolean",
  default: false,
};

/** The published servers, with what a client shows and asks for. The rest is in their packages' manifests. */
const published: readonly Shown[] = [
  {
    manifest: import.meta.resolve("@grove/mcp-cloud/package.json"),
    title: "Grove",
    settings: {
      API_URL: {
        title: "Address of the API",
        description: "Where the Grove API of your organization is",
        type: "string",
        default: "http://127.0.0.1:3000",
      },
      API_KEY: {
        title: "API key",
        description: "An API key of your organization (grk_…); the console's settings create one",
        type: "string",
        isSecret: true,
      },
      READ_ONLY: readOnly,
    },
  },
  {
    manifest: import.meta.resolve("@grove/mcp-desktop/package.json"),
    title: "Grove Desktop",
    settings: {
      CDP_URL: {
        title: "Debugging port",
        description: "The address of the app's debugging port, as --remote-debugging-port opens it",
        type: "string",
        default: "http://127.0.0.1:9222",
      },
      APP_URL: {
        title: "Window",
        description:
          "Part of the address or title of the app's window, if it has several; * matches anything",
        type: "string",
        default: "",
      },
      READ_ONLY: readOnly,
    },
  },
];

const packageManifest = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  mcpName: z.string(),
  engines: z.object({ node: z.string() }),
  bin: z.record(z.string(), z.literal("./dist/main.js")),
  repository: z
    .object({ url: z.string().transform((url) => url.replace(/^git\+|\.git$/g, "")), directory: z.string() })
    .optional(),
});

export interface Server extends z.infer<typeof packageManifest>, Omit<Shown, "manifest"> {
  /** The folder of its package. */
  readonly folder: string;
  /** The command that people type, and the name of its files. */
  readonly command: string;
}

/** Reads the manifests of the published servers, with the names under which they are published. */
export const readServers = (): Promise<Server[]> =>
  Promise.all(
    published.map(async ({ manifest, ...shown }) => {
      const path = fileURLToPath(manifest);
      const read = packageManifest.parse(toPublished(JSON.parse(await readFile(path, "utf8"))));
      const [command = ""] = Object.keys(read.bin);
      return { ...read, ...shown, folder: dirname(path), command };
    }),
  );
