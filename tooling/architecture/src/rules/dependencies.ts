import { posix } from "node:path";
import type { Package, Repository, Rule } from "../repository";
import type { Import, SourceFile } from "../source";

/** The workspace packages that each package may import. */
const dependencies: Record<string, readonly string[]> = {
  "@grove/schemas": [],
  "@grove/terminal": [],
  "@grove/signals": [],
  "@grove/tracing": [],
  "@grove/environment": [],
  "@grove/db": ["@grove/schemas", "@grove/signals"],
  "@grove/auth": ["@grove/db", "@grove/schemas"],
  "@grove/integrations": ["@grove/schemas"],
  "@grove/mcp": ["@grove/environment", "@grove/schemas", "@grove/signals", "@grove/tracing"],
  "@grove/client": ["@grove/schemas", "@grove/signals"],
  // Not the client, which imports the API's types: that would be a cycle. The API's tests use the stock @trpc/client.
  "@grove/api": [
    "@grove/auth",
    "@grove/db",
    "@grove/environment",
    "@grove/integrations",
    "@grove/schemas",
    "@grove/signals",
    "@grove/tracing",
  ],
  // These reach the API through the client, as any other program does.
  "@grove/device": [
    "@grove/client",
    "@grove/environment",
    "@grove/schemas",
    "@grove/signals",
    "@grove/terminal",
    "@grove/tracing",
  ],
  "@grove/grove": ["@grove/client", "@grove/schemas", "@grove/signals"],
  "@grove/mcp-cloud": [
    "@grove/client",
    "@grove/mcp",
    "@grove/schemas",
    "@grove/signals",
    "@grove/terminal",
    "@grove/tracing",
  ],
  "@grove/web": ["@grove/client", "@grove/schemas", "@grove/terminal"],
  "@grove/mcp-desktop": ["@grove/mcp", "@grove/schemas", "@grove/signals"],
};

/** Packages that may be imported by type only. The build erases these imports, so devDependencies hold them. */
const typeOnlyDependencies: Record<string, readonly string[]> = { "@grove/client": ["@grove/api"] };

/** Packages whose `testing` the tests of another may import: servers that answer as systems of others do. */
const testDependencies: Record<string, readonly string[]> = {
  "@grove/mcp-cloud": ["@grove/integrations"],
  "@grove/web": ["@grove/integrations"],
};

/** Programs that the launcher starts as processes. Its tarball has them, and it never imports them. */
const bundledPrograms: Record<string, readonly string[]> = {
  "@grove/grove": ["@grove/api", "@grove/device", "@grove/mcp-cloud"],
};

/** Imports and manifests name only allowed packages, and no relative import leaves its package. */
export const noForbiddenDependency: Rule = (repository) =>
  repository.packages.flatMap((owner) => [
    ...owner.sources.flatMap((source) => leavesPackage(owner, source)),
    ...(owner.folder === "tooling"
      ? []
      : [...badImports(repository, owner), ...badManifest(repository, owner)]),
  ]);

function leavesPackage(owner: Package, { path, imports }: SourceFile): string[] {
  return imports
    .filter(({ specifier }) => specifier.startsWith("."))
    .filter(({ specifier }) => !posix.join(posix.dirname(path), specifier).startsWith(`${owner.dir}/`))
    .map(({ specifier, line }) => `${path}:${line}: ${specifier} leaves the package`);
}

function badImports(repository: Repository, owner: Package): string[] {
  const allowed = dependencies[owner.name];
  if (!allowed)
    return [`${owner.dir}: ${owner.name} has no row in tooling/architecture/src/rules/dependencies.ts`];
  const mayImport = (source: SourceFile, { specifier, typeOnly }: Import) => {
    const target = packageOf(specifier);
    if (target === owner.name || !isOurs(target)) return true;
    if (specifier === `${target}/testing` && !source.isTest) return false;
    if (specifier === `${target}/testing` && (testDependencies[owner.name] ?? []).includes(target))
      return true;
    if (allowed.includes(target)) return true;
    if (isTool(repository, target)) return source.isTest || source.isConfig;
    return typeOnly && (typeOnlyDependencies[owner.name] ?? []).includes(target);
  };
  return owner.sources.flatMap((source) =>
    source.imports
      .filter((imported) => !mayImport(source, imported))
      .map(({ specifier, line }) => `${source.path}:${line}: ${owner.name} may not import ${specifier} here`),
  );
}

function badManifest(repository: Repository, { name, dir, manifest }: Package): string[] {
  const allowed = [dependencies, typeOnlyDependencies, testDependencies, bundledPrograms].flatMap(
    (table) => table[name] ?? [],
  );
  return [
    ...Object.keys({
      ...manifest.dependencies,
      ...manifest.optionalDependencies,
      ...manifest.peerDependencies,
    })
      .filter(isOurs)
      // The build bundles workspace packages, so an installed tarball must not ask for them.
      .map((target) => `${dir}/package.json: ${target} may not be in dependencies`),
    ...Object.keys(manifest.devDependencies ?? {})
      .filter((target) => isOurs(target) && !allowed.includes(target) && !isTool(repository, target))
      .map((target) => `${dir}/package.json: ${target} may not be in devDependencies`),
  ];
}

const isOurs = (name: string) => name.startsWith("@grove/");
const isTool = (repository: Repository, name: string) =>
  repository.packages.some((other) => other.name === name && other.folder === "tooling");

/** `@grove/db/testing` → `@grove/db`, `kysely/helpers` → `kysely` */
const packageOf = (specifier: string) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
