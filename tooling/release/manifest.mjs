/**
 * The difference between the manifests of published packages and those of the repository. pnpm applies it when it packs
 * (`--config.pnpmfile`).
 */

import { published } from "./published.js";

/** The npm scope under which the packages are published. In the repository, all are under `@grove`. */
export const scope = "@grove";

/**
 * Where the source is, such as `https://github.com/owner/grove`. npm proves from where a tarball comes only if it says
 * so, and the MCP registry needs it too. Undefined as long as there is no public address.
 * @type {string | undefined}
 */
export const repository = undefined;

/** The packages that the MCP registry lists. It believes that they are ours, since they say their name there. */
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
    // The registry lets only members of the GitHub organization of that name publish it.
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
