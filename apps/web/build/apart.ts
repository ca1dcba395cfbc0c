import type { Plugin } from "vite";

const COPY = "?apart";

/**
 * Gives one lazily loaded module its own copy of a package's modules. Chunks are made of whole modules: without a copy,
 * whatever it imports from a module that the first load needs, too, would be part of the first load.
 * @param module the end of the lazily loaded module's path
 * @param packages the start of the packages' names
 */
export const apart = (module: string, packages: string): Plugin => ({
  name: "apart",
  apply: "build",
  enforce: "pre",
  async resolveId(source, importer) {
    if (!importer?.endsWith(module) && !importer?.endsWith(COPY)) return;
    const resolved = await this.resolve(source, importer.replace(COPY, ""), { skipSelf: true });
    if (!resolved?.id.includes(`/node_modules/${packages}`)) return resolved;
    return { ...resolved, id: resolved.id + COPY };
  },
});
