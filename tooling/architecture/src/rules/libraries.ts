import type { Rule } from "../repository";

interface Ban {
  modules: RegExp;
  /** The paths, by their beginnings, in which the module must not be imported. */
  where: RegExp;
  /** Whether tests may import it there. */
  allowedInTests?: boolean;
  why: string;
}

const bans: Ban[] = [
  {
    modules: /^(lucia|@lucia-auth\/.*)$/,
    where: /^(apps|packages\/(?!auth\/)|tooling)/,
    why: "only packages/auth may import lucia, which is no longer developed",
  },
  {
    modules: /^(pg|pg-.*|@electric-sql\/.*)$/,
    where: /^(apps|packages\/(?!db\/))/,
    why: "only packages/db may import the engines",
  },
  {
    modules: /^(kysely(\/.*)?)$/,
    where: /^(packages\/(?!db\/|auth\/)|apps\/(?!api\/))/,
    why: "queries are in packages/db, packages/auth and apps/api",
  },
  {
    modules: /^@trpc\//,
    where: /^packages\/(?!client\/)/,
    why: "of the packages, only client may import tRPC",
  },
  {
    modules: /^@trpc\//,
    where: /^apps\/(?!api\/)/,
    // A device's test may use a server of its own as the other end.
    allowedInTests: true,
    why: "the API is reached through packages/client",
  },
  {
    modules: /^(react|react-dom|@base-ui\/react|@tanstack\/[\w-]+|lucide-react)(\/.*)?$/,
    where: /^(apps\/(?!web\/)|packages\/(?!client\/src\/query)|tooling)/,
    why: "only apps/web renders pages",
  },
  {
    modules: /^@base-ui\/react(\/.*)?$/,
    where: /^apps\/web\/src\/(?!ui\/)/,
    why: "only apps/web/src/ui may import it",
  },
  {
    modules: /^(@pierre\/.*|@shikijs\/.*|shiki(\/.*)?|dompurify)$/,
    where: /^(apps\/(?!web\/src\/diff\/)|packages|tooling)/,
    why: "only the viewer of diffs writes HTML",
  },
  {
    modules: /^(fastify|@fastify\/.*|express|hono|(node:)?https?2?)$/,
    where: /^packages\/auth\//,
    why: "packages/auth does not handle HTTP",
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
          .filter((ban) => !(isTest && ban.allowedInTests))
          .map((ban) => `${path}:${line}: ${specifier} is imported, but ${ban.why}`),
      ),
    );
