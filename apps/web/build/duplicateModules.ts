import type { Plugin } from "vite";

const COPY = "?duplicate";

/**
 * Gives a lazily loaded module its own copy of a package's modules. The bundler does not split modules: without a
 * copy, everything that it imports from a module of the initial load would become part of the initial load.
 * @param module suffix of the lazily loaded module's path
 * @param packages prefix of the packages' names
 */
export const duplicateModules = (module: string, packages: string): Plugin => ({
  name: "duplicate-modules",
  apply: "build",
  enforce: "pre",
  async resolveId(source, importer) {
    if (!importer?.endsWith(module) && !importer?.endsWith(COPY)) return;
    const resolved = await this.resolve(source, importer.replace(COPY, ""), { skipSelf: true });
    if (!resolved?.id.includes(`/node_modules/${packages}`)) return resolved;
    return { ...resolved, id: resolved.id + COPY };
  },
});
