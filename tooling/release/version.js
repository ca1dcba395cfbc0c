/**
 * `node tooling/release/version.js`: sets the version of all packages by the changes in `.changeset`, and moves these
 * into CHANGELOG.md. Review the result, commit it and tag it `v<version>`.
 */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const at = (/** @type {string} */ path) => join(root, path);
const read = (/** @type {string} */ path) => readFileSync(at(path), "utf8");

/** The headings, from breaking changes to fixes. */
const headings = { major: "Breaks", minor: "Adds", patch: "Fixes" };

const changes = readdirSync(at(".changeset"))
  .filter((file) => file.endsWith(".md") && file !== "README.md")
  .map((file) => {
    const [, size = "", text = ""] =
      /^---\n.*: (major|minor|patch)\n---\n([\s\S]*)$/.exec(read(`.changeset/${file}`)) ?? [];
    if (size === "")
      throw new Error(`.changeset/${file} does not have the form that .changeset/README.md describes.`);
    return { size, text: text.trim().replaceAll("\n", "\n  ") };
  });
if (changes.length === 0) throw new Error("No change in .changeset.");

// Needs a newer Node than Grove does. Only releases need it, so it is no dependency.
const changesets = ["--yes", "--package=node@24", "--package=@changesets/cli@3.0.3", "changeset", "version"];
execFileSync("npx", changesets, { cwd: root, stdio: "inherit" });

const { version } = JSON.parse(read("apps/grove/package.json"));
const sections = Object.entries(headings).flatMap(([size, heading]) => {
  const lines = changes.filter((change) => change.size === size).map(({ text }) => `- ${text}`);
  return lines.length > 0 ? [`### ${heading}\n\n${lines.join("\n")}\n`] : [];
});
const [introduction = "", ...before] = read("CHANGELOG.md").split(/^(?=## )/m);
const section = `## ${version}\n\n${sections.join("\n")}`;
writeFileSync(at("CHANGELOG.md"), [`${introduction.trim()}\n`, section, ...before].join("\n"));

// The root is not published, so changesets does not set its version.
const manifest = JSON.parse(read("package.json"));
writeFileSync(at("package.json"), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
