/**
 * The difference between the manifests of published packages and those of the repository. pnpm applies it when it packs
 * (`--config.pnpmfile`).
 */

import { published } from "./published.js";

/** The npm scope under which the packages are published. In the repository, all are under `@grove`. */
export const scope = "@grove";

/**
 * The address of the source, such as `https://github.com/owner/grove`. npm's provenance and the MCP registry require
 * it. Undefined until a public address exists.
 * @type {string | undefined}
 */
export const repository = undefined;

/** The packages that the MCP registry lists. It verifies their ownership by `mcpName` in their manifests. */
const mcpServers = ["mcp-cloud", "mcp-desktop"];

/**
 * The manifest of a package as it is published.
 * @param {Record<string, any>} manifest the repository's
 * @param {{ scope: string, repository?: string }} [at]
 * @returns {Record<string, any>}
 */
export function toPublished(
  { devDependencies: _tools, scripts: _ofTheRepository, ...manifest },
  at = { scope, repository },
) {
  const short = manifest.name.split("/").at(-1);
  return {
    ...manifest,
    name: `${at.scope}/${short}`,
    publishConfig: { access: "public" },
    // Only members of the GitHub organization of that name may publish it to the registry.
    ...(mcpServers.includes(short) && { mcpName: `io.github.${at.scope.slice(1)}/${short}` }),
    ...(at.repository && addresses(at.repository, short)),
  };
}

/** @param {string} address @param {string} short the package's name without its scope */
const addresses = (address, short) => ({
  repository: {
    type: "git",
    url: `git+${address}.git`,
    directory: published.find((folder) => folder.endsWith(`/${short}`)),
  },
  homepage: `${address}#readme`,
  bugs: `${address}/issues`,
});

export const hooks = {
  beforePacking: (/** @type {Record<string, any>} */ manifest) => toPublished(manifest),
};
