import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

const built = fileURLToPath(new URL("../../dist/", import.meta.url));

/** A copy of the built console for a test file's API, which a test may replace by a newer build. */
export function copyConsole() {
  const directory = mkdtempSync(join(tmpdir(), "grove-console-"));
  afterAll(() => rmSync(directory, { recursive: true }));
  cpSync(built, directory, { recursive: true, filter: (path) => !/\.(br|gz)$/.test(path) });
  return {
    directory,
    /**
     * Renames all hashed files, as a build of changed sources does.
     * @param without source of a page whose file is missing from the new build
     */
    replace: (without: string) => {
      const manifest = JSON.parse(readFileSync(join(directory, ".vite/manifest.json"), "utf8"));
      const assets = join(directory, "assets");
      const names = new Set(readdirSync(assets));
      const renamed = (text: string) =>
        text.replaceAll(/[\w.-]+\.(js|css)\b/g, (name) => (names.has(name) ? newName(name) : name));
      for (const path of [join(directory, "index.html"), ...[...names].map((name) => join(assets, name))])
        writeFileSync(path, renamed(readFileSync(path, "utf8")));
      for (const name of names) renameSync(join(assets, name), join(assets, newName(name)));
      rmSync(join(directory, renamed(manifest[without].file)));
    },
  };
}

const newName = (name: string) => name.replace(/\.(\w+)$/, "2.$1");
