/**
 * `node tooling/release/sbom.js <directory>`: writes beside each tarball a bill of materials (CycloneDX) of what is in
 * it and of what npm installs with it. It reads the files that the build has written beside each bundle.
 */

import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [directory = "."] = process.argv.slice(2);
for (const tarball of readdirSync(directory).filter((name) => name.endsWith(".tgz"))) {
  const tar = (/** @type {string[]} */ ...args) =>
    execFileSync("tar", args, { cwd: directory, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const files = tar("-tzf", tarball).trim().split("\n");
  const of = (/** @type {RegExp} */ name) =>
    files.filter((file) => name.test(file)).map((file) => tar("-xzOf", tarball, file));

  const bundled = of(/\/THIRD-PARTY-LICENSES\.txt$/)
    .flatMap((text) => [...text.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(([^()]+)\)$/gm)])
    .map(([, name, version, license]) => component(name, version, license));
  const console = of(/\/third-party-licenses\.json$/)
    .flatMap((text) => JSON.parse(text))
    .map(({ name, version, identifier }) => component(name, version, identifier));
  const {
    name,
    version,
    license,
    dependencies = {},
  } = JSON.parse(tar("-xzOf", tarball, "package/package.json"));
  const installed = Object.entries(dependencies).map(([name, range]) => component(name, String(range)));
  const components = new Map([...bundled, ...console, ...installed].map((each) => [each.purl, each]));

  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...component(name, version, license), type: "application" } },
    components: [...components.values()].sort((one, other) => (one.purl < other.purl ? -1 : 1)),
  };
  writeFileSync(
    join(directory, tarball.replace(/\.tgz$/, ".cdx.json")),
    `${JSON.stringify(bill, null, 2)}\n`,
  );
}

/** @param {string | undefined} name @param {string | undefined} version @param {string} [license] an SPDX expression */
function component(name = "", version = "", license) {
  return {
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    ...(license && { licenses: [{ expression: license }] }),
  };
}
