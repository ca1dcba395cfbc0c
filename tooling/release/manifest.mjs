/**
 * The difference between the manifests of published packages and those of the repository. pnpm applies it when it packs
 * (`--config.pnpmfile`).
 */

/** The npm scope under which the packages are published. In the repository, all are under `@grove`. */
export const scope = "@grove";

/**
 * Where the source is, such as `https://github.com/owner/grove`. npm proves from where a tarball comes only if it says
 * so, and the MCP registry needs it too. Undefined as long as there is no public address.
 * @type {string | undefined}
 */
export const repository = undefined;

/** @param {Record<string, any>} manifest @returns {Record<string, any>} */
function published({ devDependencies: _tools, scripts: _ofTheRepository, ...manifest }) {
  const name = manifest.name.replace(/^@grove(?=\/)/, scope);
  return { ...manifest, name, publishConfig: { access: "public" }, ...(repository && addresses(repository)) };
}

/** @param {string} address */
const addresses = (address) => ({
  repository: { type: "git", url: `git+${address}.git` },
  homepage: `${address}#readme`,
  bugs: `${address}/issues`,
});

export const hooks = { beforePacking: published };
