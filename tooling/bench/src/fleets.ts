import { fork } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Grove } from "./grove";
import { query } from "./postgres";
import type { Scope } from "./scope";

/** The most streams of one process: each is an open file, and answers need further ones. */
const MOST_OF_PROCESS = 5_000;
const PATIENCE_MS = 5 * 60_000;

interface Fleet {
  ids: string[];
  /** Resolves when so many more devices whose streams had broken are online again; rejects after five minutes. */
  back(count: number): Promise<void>;
}

/**
 * Makes devices directly in the database, and connects them all from other processes, which answer beats and commands
 * immediately.
 * @param urls the instances, which share the devices evenly
 */
export async function connectFleet(
  scope: Scope,
  { url, organizationId }: Pick<Grove, "url" | "organizationId">,
  databaseUrl: string,
  count: number,
  urls: string[] = [url],
): Promise<Fleet> {
  const made = Array.from({ length: count }, () => ({
    id: randomUUID(),
    key: `grd_${randomBytes(32).toString("base64url")}`,
    journalId: randomUUID(),
  }));
  const hashes = made.map(({ key }) => createHash("sha256").update(key).digest("hex"));
  await query(
    databaseUrl,
    `insert into devices (id, organization_id, owner_id, name, platform, key_prefix, key_hash)
      select id, $1, (select user_id from memberships where organization_id = $1), 'bench', 'linux', 'grd_', hash
      from unnest($2::uuid[], $3::text[]) as made (id, hash)`,
    [organizationId, made.map(({ id }) => id), hashes],
  );
  let returned = 0;
  const looks = new Set<() => void>();
  const failures: Promise<never>[] = [];
  for (let from = 0; from < count; from += MOST_OF_PROCESS) {
    const fleet = fork(fileURLToPath(new URL("fleet.ts", import.meta.url)));
    scope.defer(() => fleet.kill("SIGKILL"));
    const failed = once(fleet, "exit").then(([code, signal]) =>
      Promise.reject(new Error(`A process of devices has ended (${signal ?? `exit code ${code}`}).`)),
    );
    failed.catch(() => {});
    failures.push(failed);
    await Promise.race([once(fleet, "message"), failed]);
    fleet.send({ urls, first: from, devices: made.slice(from, from + MOST_OF_PROCESS) });
    await Promise.race([once(fleet, "message"), failed]);
    fleet.on("message", ({ back }: { back: number }) => {
      returned += back;
      for (const look of looks) look();
    });
  }
  const back = (more: number) =>
    new Promise<void>((resolve) => {
      const wanted = returned + more;
      const look = () => {
        if (returned < wanted) return;
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  return {
    ids: made.map(({ id }) => id),
    back: (more) => Promise.race([back(more), tooLong(more), ...failures]),
  };
}

const tooLong = (more: number): Promise<never> =>
  sleep(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`${more} devices are not online again after ${PATIENCE_MS / 60_000} minutes.`);
  });
