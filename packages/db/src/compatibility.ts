import { version } from "../package.json";
import { MigrationError } from "./errors";
import type { Log } from "./log";
import { migrations } from "./migrations";

/**
 * The oldest release that can work with a migration's schema: `0030_drop_kind_needs_1_4_0` needs 1.4.0. A migration
 * without that suffix only adds, so every release can work with its schema.
 */
const minReleaseOf = (migration: string): string | undefined =>
  /_needs_(\d+_\d+_\d+)$/.exec(migration)?.[1]?.replaceAll("_", ".");

/**
 * Whether a newer release has migrated the database. This release starts anyway, unless the name of a migration
 * requires a newer one. So instances of both releases can run side by side, and a release can be rolled back.
 * @throws {MigrationError} if one of its migrations needs a newer release than this
 */
export function isAhead(applied: readonly string[], log: Log, release: string = version): boolean {
  const unknown = applied.filter((name) => migrations[name] === undefined);
  for (const name of unknown) {
    const minRelease = minReleaseOf(name);
    if (minRelease !== undefined && isOlder(release, minRelease))
      throw new MigrationError(
        `A newer version of Grove has migrated this database (${name}). It needs Grove ${minRelease} or newer, and this is ${release}.`,
      );
  }
  if (unknown.length > 0)
    log.warn(
      { release, migrations: unknown },
      "a newer version of Grove has migrated the database; this version is compatible with it",
    );
  return unknown.length > 0;
}

/** Whether a version is older than another. A pre-release counts as its release. */
function isOlder(version: string, other: string): boolean {
  const [own, others] = [version, other].map((text) => text.split(/[.-]/).slice(0, 3).map(Number));
  const difference = own?.map((part, index) => part - (others?.[index] ?? 0)).find((part) => part !== 0);
  return (difference ?? 0) < 0;
}
