import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MANIFEST_SCHEMAS, packExtension } from "@anthropic-ai/mcpb";
import { startMcpServer } from "@grove/testing/mcpClient";
import type { Server, Setting } from "./servers";

/**
 * The files of a built server that its bundle contains. Without the code cache, which is valid for one version of Node
 * only.
 */
const FILES = ["main.js", "program.js", "package.json", "THIRD-PARTY-LICENSES.txt"];

/**
 * Packs a built server into a bundle that a desktop client installs with one click.
 * @throws {Error} if a client would refuse the bundle, or it cannot be packed
 */
export async function makeBundle(server: Server, path: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "grove-mcpb-"));
  try {
    await mkdir(join(folder, "server"));
    for (const file of FILES) await cp(join(server.folder, "dist", file), join(folder, "server", file));
    for (const file of ["README.md", "REFERENCE.md"]) await cp(join(server.folder, file), join(folder, file));
    const manifest = MANIFEST_SCHEMAS["0.3"].parse(describeBundle(server, await listTools(server)));
    await writeFile(join(folder, "manifest.json"), JSON.stringify(manifest, null, 2));
    const isPacked = await packExtension({ extensionPath: folder, outputPath: path, silent: true });
    if (!isPacked) throw new Error(`${server.command} could not be packed.`);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The bundle's manifest: how a client starts the server, and what it asks its user for. */
function describeBundle(server: Server, tools: readonly object[]) {
  const { settings, repository } = server;
  return {
    manifest_version: "0.3",
    name: server.command,
    display_name: server.title,
    version: server.version,
    description: server.description,
    author: { name: "Grove", ...(repository && { url: repository.url }) },
    license: server.license,
    ...(repository && { repository: { type: "git", url: repository.url } }),
    server: {
      type: "node",
      entry_point: "server/main.js",
      mcp_config: {
        command: "node",
        args: [`\${__dirname}/server/main.js`],
        env: Object.fromEntries(
          Object.keys(settings).map((name) => [name, `\${user_config.${name.toLowerCase()}}`]),
        ),
      },
    },
    tools,
    user_config: Object.fromEntries(
      Object.entries(settings).map(([name, setting]) => [name.toLowerCase(), toUserConfig(setting)]),
    ),
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node: server.engines.node } },
  };
}

const toUserConfig = ({ title, description, type, isSecret, default: value }: Setting) => ({
  title,
  description,
  type,
  required: value === undefined,
  ...(isSecret && { sensitive: true }),
  ...(value !== undefined && { default: value }),
});

/** The tools that a client shows before it installs the server: their names, and the first sentence on each. */
async function listTools({ folder }: Server) {
  const client = await startMcpServer({ command: process.execPath, args: [join(folder, "dist/main.js")] });
  try {
    const { tools } = await client.listTools();
    return tools.map(({ name, description = "" }) => ({
      name,
      description: description.split(/(?<=\.)\s/)[0],
    }));
  } finally {
    await client.close();
  }
}
