import { dirname, relative, resolve } from "node:path";
import { build } from "esbuild";

/** Ends the specifier of a module that is imported as a script: `./entry?script`. */
const query = "?script";
const filter = /\?script$/;

/** @param {string} specifier @param {string} importer the path of the module that imports it */
const entryOf = (specifier, importer) =>
  `${resolve(dirname(importer), specifier.slice(0, -query.length))}.ts`;

/**
 * Bundles a module with its imports into the text of an expression, to be evaluated in a page. Its value is the
 * module's default export. It adds nothing to the page's global scope.
 * @param {string} entry
 */
async function bundle(entry) {
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    target: "chrome106",
    // esbuild's other formats call functions of Object, which the page may have replaced.
    format: "esm",
    // Names stay readable in the stack traces of errors.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: "none",
  });
  const code = outputFiles[0]?.text ?? "";
  const exported = Object.values(metafile.outputs).flatMap((output) => output.exports);
  if (exported.some((name) => name !== "default"))
    throw new Error(`${entry} exports ${exported.join(", ")}. A script for pages has only a default export.`);
  const body = code.replace(/\bexport ?\{ ?(\S+) as default ?\};?\s*$/, "return $1;");
  return {
    text: `(()=>{"use strict";${body.trimEnd()}})()`,
    files: Object.keys(metafile.inputs).map((file) => resolve(file)),
  };
}

/**
 * Lets a module import another one as a script for pages: the default export of `./entry?script` is the text of the
 * bundle of `./entry.ts`. It is made when the program is built.
 * @type {NonNullable<import("tsup").Options["esbuildPlugins"]>[number]}
 */
export const pageScripts = {
  name: "page-scripts",
  setup({ onResolve, onLoad }) {
    onResolve({ filter }, ({ path, importer }) => ({
      // The program contains the path, which must not name the directory that the package was built in.
      path: relative("", entryOf(path, importer)),
      namespace: "page-script",
    }));
    onLoad({ filter: /.*/, namespace: "page-script" }, async ({ path }) => {
      const { text, files } = await bundle(resolve(path));
      return { contents: text, loader: "text", watchFiles: files };
    });
  },
};

/**
 * This plugin for vitest, which runs programs from source.
 * @satisfies {import("rollup").Plugin & { enforce: "pre" }}
 */
export const pageScriptsInTests = {
  name: pageScripts.name,
  enforce: "pre",
  resolveId: (specifier, importer) =>
    importer && filter.test(specifier) ? entryOf(specifier, importer) + query : undefined,
  async load(id) {
    if (!filter.test(id)) return undefined;
    const { text, files } = await bundle(id.slice(0, -query.length));
    for (const file of files) this.addWatchFile(file);
    return `export default ${JSON.stringify(text)};`;
  },
};
