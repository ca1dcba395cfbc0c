import type { Rule } from "../repository";

interface Ban {
  modules: RegExp;
  /** The paths, by their beginnings, in which the module must not be imported. */
  where: RegExp;
  inTests: "too" | "not";
  why: string;
}

const bans: Ban[] = [
  {
    modules: /^(lucia|@lucia-auth\/.*)$/,
    where: /^(apps|packages\/(?!auth\/)|tooling)/,
    inTests: "too",
    why: "only packages/auth knows lucia, which is no longer developed",
  },
  {
    modules: /^(pg|pg-.*|@electric-sql\/.*)$/,
    where: /^(apps|packages\/(?!db\/))/,
    inTests: "too",
    why: "only packages/db knows the engines",
  },
  {
    modules: /^(kysely(\/.*)?)$/,
    where: /^(packages\/(?!db\/|auth\/)|apps\/(?!api\/))/,
    inTests: "too",
    why: "queries stand in packages/db, packages/auth and apps/api",
  },
  {
    modules: /^@trpc\//,
    where: /^packages\/(?!client\/)/,
    inTests: "too",
    why: "of the packages only client knows tRPC",
  },
  {
    modules: /^@trpc\//,
    where: /^apps\/(?!api\/)/,
    // A device's test may use a server of its own as the other end.
    inTests: "not",
    why: "the API is reached through packages/client",
  },
  {
    modules: /^(react|react-dom|@base-ui\/react|@tanstack\/[\w-]+|lucide-react)(\/.*)?$/,
    where: /^(apps\/(?!web\/)|packages\/(?!client\/src\/query)|tooling)/,
    inTests: "too",
    why: "only apps/web is a page",
  },
  {
    modules: /^@base-ui\/react(\/.*)?$/,
    where: /^apps\/web\/src\/(?!ui\/)/,
    inTests: "too",
    why: "only apps/web/src/ui knows it",
  },
  {
    modules: /^(@pierre\/.*|@shikijs\/.*|shiki(\/.*)?|dompurify)$/,
    where: /^(apps\/(?!web\/src\/diff\/)|packages|tooling)/,
    inTests: "too",
    why: "only the viewer of diffs writes HTML",
  },
  {
    modules: /^(fastify|@fastify\/.*|express|hono|(node:)?https?2?)$/,
    where: /^packages\/auth\//,
    inTests: "too",
    why: "packages/auth knows no HTTP",
  },
];

/** Some libraries may only be imported in the packages that wrap them. */
export const noLibraryOutsideItsPackage: Rule = (repository) =>
  repository.packages
    .flatMap((owner) => owner.sources)
    .flatMap(({ path, imports, isTest }) =>
      imports.flatMap(({ specifier, line }) =>
        bans
          .filter((ban) => ban.where.test(path) && ban.modules.test(specifier))
          .filter((ban) => ban.inTests === "too" || !isTest)
          .map((ban) => `${path}:${line}: ${specifier} is imported, but ${ban.why}`),
      ),
    );
