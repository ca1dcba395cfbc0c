import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const manifests = {
  "@grove/grove": import.meta.resolve("@grove/grove/package.json"),
  "@grove/api": import.meta.resolve("@grove/api/package.json"),
  "@grove/device": import.meta.resolve("@grove/device/package.json"),
  "@grove/mcp-cloud": import.meta.resolve("@grove/mcp-cloud/package.json"),
};

/** The directory of a package of this repository. */
export const packageDirectory = (name: keyof typeof manifests): string =>
  dirname(fileURLToPath(manifests[name]));

/** The built launcher. */
export const launcher = join(packageDirectory("@grove/grove"), "dist", "main.js");

/** The built MCP server. */
export const mcpCloud = join(packageDirectory("@grove/mcp-cloud"), "dist", "main.js");
