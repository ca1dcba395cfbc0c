import type { Manifest, Rule } from "../repository";

/** Each workspace package has a description, a license and a README. */
export const noPackageWithoutReadme: Rule = (repository) =>
  repository.packages.flatMap(({ dir, manifest, readme }) => [
    ...(readme !== undefined ? [] : [`${dir}: there is no README.md`]),
    ...(manifest.description ? [] : [`${dir}/package.json: there is no description`]),
    ...(manifest.license === "MIT" ? [] : [`${dir}/package.json: the license is not MIT`]),
  ]);

/** A dependency of two packages has its version in the catalog; a workspace package is used by `workspace:*`. */
export const noVersionOutsideCatalog: Rule = (repository) => {
  const manifests = [
    { file: "package.json", manifest: repository.rootManifest },
    ...repository.packages.map(({ dir, manifest }) => ({ file: `${dir}/package.json`, manifest })),
  ];
  const uses = manifests.flatMap(({ file, manifest }) =>
    Object.entries(allDependencies(manifest)).map(([name, version]) => ({ file, name, version })),
  );
  return uses
    .filter(({ name, version }) => {
      if (name.startsWith("@grove/")) return version !== "workspace:*";
      return version !== "catalog:" && uses.filter((use) => use.name === name).length > 1;
    })
    .map(({ file, name, version }) => {
      const right = name.startsWith("@grove/") ? "workspace:*" : "catalog:";
      return `${file}: ${name} is ${version}, but should be ${right}`;
    });
};

/** Returns all dependencies except peer dependencies, whose ranges other projects resolve. */
const allDependencies = (manifest: Manifest): Record<string, string> => ({
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
});
