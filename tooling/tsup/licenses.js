import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/**
 * Writes `THIRD-PARTY-LICENSES.txt` beside the program: the licenses of all packages that are bundled into it, as these
 * demand from all who pass them on.
 * @type {NonNullable<import("tsup").Options["esbuildPlugins"]>[number]}
 */
export const licenses = {
  name: "licenses",
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    const file = resolve(initialOptions.outdir ?? "dist", "THIRD-PARTY-LICENSES.txt");
    onEnd(async ({ metafile }) => {
      const outputs = Object.values(metafile?.outputs ?? {});
      const directories = outputs.flatMap(({ inputs }) => Object.keys(inputs)).flatMap(packageOf);
      const texts = await Promise.all([...new Set(directories)].map(licenseOf));
      // A package that is installed at several places has the same text at each.
      if (texts.length === 0) return;
      // The first build may end before tsup has made the directory.
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, [...new Set(texts)].sort().join(`\n${"-".repeat(80)}\n\n`));
    });
  },
};

/** The directory of the npm package that a module belongs to, as a list of at most one. @param {string} module */
const packageOf = (module) => /(?<=^|:)[^:]*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(module) ?? [];

/** @param {string} directory */
async function licenseOf(directory) {
  const { name, version, license } = JSON.parse(await readFile(join(directory, "package.json"), "utf8"));
  const files = (await readdir(directory))
    .filter((entry) => /^(licen[cs]e|copying|notice)/i.test(entry))
    .sort();
  const texts = await Promise.all(files.map((entry) => readFile(join(directory, entry), "utf8")));
  return `${[`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join("\n\n")}\n`;
}
