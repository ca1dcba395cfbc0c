import { posix } from "node:path";
import type { House, Package, Rule } from "../repository";
import type { Import, SourceFile } from "../source";

/** Who may know whom, and no others. What a package is not named for here, it does not know. */
const arrows: Record<string, readonly string[]> = {
  "@grove/schemas": [],
  "@grove/terminal": [],
  "@grove/db": ["@grove/schemas"],
  "@grove/auth": ["@grove/db", "@grove/schemas"],
  "@grove/integrations": ["@grove/schemas"],
  "@grove/mcp": ["@grove/schemas"],
  "@grove/client": ["@grove/schemas"],
  // Not the client: it knows the API's types, and the build refuses the circle. Its tests use the stock @trpc/client.
  "@grove/api": ["@grove/auth", "@grove/db", "@grove/integrations", "@grove/schemas"],
  // These reach the API only as anyone else does, through the client.
  "@grove/device": ["@grove/client", "@grove/schemas", "@grove/terminal"],
  "@grove/grove": ["@grove/client", "@grove/schemas"],
  "@grove/mcp-cloud": ["@grove/client", "@grove/mcp", "@grove/schemas", "@grove/terminal"],
  "@grove/mcp-desktop": ["@grove/mcp", "@grove/schemas"],
};

/** Known by type only: erased at build, so devDependencies hold it. */
const byType: Record<string, readonly string[]> = { "@grove/client": ["@grove/api"] };

/** Programs that the launcher starts as processes: in its dependencies, never in an import. */
const programs: Record<string, readonly string[]> = {
  "@grove/grove": ["@grove/api", "@grove/device", "@grove/mcp-cloud", "@grove/mcp-desktop"],
};

/** Imports and manifests keep to the arrows, and relative imports to their package. */
export const keepsToArrows: Rule = (house) =>
  house.packages.flatMap((owner) => [
    ...owner.sources.flatMap((source) => leavesPackage(owner, source)),
    ...(owner.room === "tooling" ? [] : [...badImports(house, owner), ...badManifest(house, owner)]),
  ]);

function leavesPackage(owner: Package, { path, imports }: SourceFile): string[] {
  return imports
    .filter(({ specifier }) => specifier.startsWith("."))
    .filter(({ specifier }) => !posix.join(posix.dirname(path), specifier).startsWith(`${owner.dir}/`))
    .map(({ specifier, line }) => `${path}:${line}: ${specifier} leaves the package`);
}

function badImports(house: House, owner: Package): string[] {
  const allowed = arrows[owner.name];
  if (!allowed)
    return [`${owner.dir}: ${owner.name} has no arrows in tooling/architecture/src/rules/arrows.ts`];
  const mayImport = (source: SourceFile, { specifier, typeOnly }: Import) => {
    const target = packageOf(specifier);
    if (target === owner.name || !isOurs(target)) return true;
    if (specifier === `${target}/testing` && !source.isTest) return false;
    if (allowed.includes(target)) return true;
    if (isTool(house, target)) return source.isTest || source.isConfig;
    return typeOnly && (byType[owner.name] ?? []).includes(target);
  };
  return owner.sources.flatMap((source) =>
    source.imports
      .filter((imported) => !mayImport(source, imported))
      .map(({ specifier, line }) => `${source.path}:${line}: ${owner.name} may not import ${specifier} here`),
  );
}

function badManifest(house: House, { name, dir, manifest }: Package): string[] {
  const started = programs[name] ?? [];
  const forTheBuild = [arrows, byType].flatMap((table) => table[name] ?? []);
  return [
    ...Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    })
      .filter((target) => isOurs(target) && !started.includes(target))
      // The build puts workspace packages into the file, so who installs the tarball must not look for them.
      .map((target) => `${dir}/package.json: ${target} may not be in dependencies`),
    ...Object.keys(manifest.devDependencies ?? {})
      .filter((target) => isOurs(target) && !forTheBuild.includes(target) && !isTool(house, target))
      .map((target) => `${dir}/package.json: ${target} may not be in devDependencies`),
  ];
}

const isOurs = (name: string) => name.startsWith("@grove/");
const isTool = (house: House, name: string) =>
  house.packages.some((other) => other.name === name && other.room === "tooling");

/** `@grove/db/testing` → `@grove/db`, `kysely/helpers` → `kysely` */
const packageOf = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
