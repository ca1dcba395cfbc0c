import { createHash, randomBytes, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Started } from "@grove/testing/process";
import { until } from "@grove/testing/until";
import type { Order } from "./fleet";
import type { Grove } from "./grove";
import { query } from "./postgres";
import { startOwn, temporaryDirectory } from "./programs";
import type { Scope } from "./scope";

/** The most streams of one process: each is an open file, and answers need further ones. */
const MAX_PER_PROCESS = 5_000;
const TIMEOUT_MS = 5 * 60_000;

interface Fleet {
  ids: string[];
  /** Resolves when `count` more devices whose streams had broken are online again; rejects after five minutes. */
  back(count: number): Promise<void>;
}

/**
 * Makes devices directly in the database, and connects them all from other processes, which answer heartbeats and
 * commands immediately.
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
  const fleets: Started[] = [];
  for (let first = 0; first < count; first += MAX_PER_PROCESS) {
    const order: Order = { urls, first, devices: made.slice(first, first + MAX_PER_PROCESS) };
    const file = join(temporaryDirectory(scope), "order.json");
    writeFileSync(file, JSON.stringify(order));
    const fleet = startOwn(scope, new URL("fleet.ts", import.meta.url), file);
    await fleet.waitForLine("connected");
    fleets.push(fleet);
  }
  const reconnected = () => fleets.reduce((sum, fleet) => sum + reconnectedOf(fleet), 0);
  return {
    ids: made.map(({ id }) => id),
    back: async (more) => {
      const wanted = reconnected() + more;
      await until(() => reconnected() >= wanted, `${more} devices are online again`, TIMEOUT_MS);
    },
  };
}

/** @throws {Error} if the process of devices has ended */
function reconnectedOf(fleet: Started): number {
  if (!fleet.running) throw new Error(`A process of devices has ended:\n${fleet.output}`);
  return Number(/reconnected: (\d+)\n(?:connected\n)?$/.exec(fleet.stdout)?.[1] ?? 0);
}
