import { setTimeout as sleep } from "node:timers/promises";
import { removeAgentStatus, writeAgentStatus } from "./agentStatus";
import { retry } from "./cloud/backoff";
import { stayConnected } from "./cloud/connection";
import { createDeviceApi, type DeviceApi, isTransient } from "./cloud/deviceApi";
import { Executor } from "./commands/executor";
import { Journal } from "./commands/journal";
import { Outbox } from "./commands/outbox";
import { collectsOrphans, ORPHANS_STAY, ORPHANS_TODO } from "./doctor/orphans";
import type { Env } from "./env";
import { removeUnfinishedClones } from "./git/clone";
import { RepositoryLocks } from "./git/lock";
import { emptyTrash } from "./git/removal";
import { createGit } from "./git/run";
import type { Home } from "./home/home";
import { lockHome } from "./home/lock";
import { DeviceOwner } from "./home/owner";
import { type Credentials, readCredentials } from "./home/registration";
import { Store } from "./home/store";
import type { Log } from "./log";
import { Sessions } from "./sessions/sessions";
import { removeLeftScripts } from "./tools/repositoryScript";
import { createTools } from "./tools/tools";
import { Construction } from "./tools/workspace/construction";

/** Enough time for git to end (TERM, then KILL after 5 s) and for half-made work to be undone. */
const STOP_WORK_MS = 8_000;
const SESSION_GRACE_MS = 5_000;
const LAST_REPORTS_MS = 1_500;

/**
 * Runs this machine's device agent until the signal is aborted.
 * @returns `revoked` when the cloud no longer accepts its key
 * @throws {Error} if the machine is not registered, if another agent runs on the same home, or if the journal cannot be
 * written or becomes another agent's
 */
export async function runAgent(
  home: Home,
  env: Env,
  log: Log,
  signal: AbortSignal,
): Promise<"stopped" | "revoked"> {
  const credentials = await readCredentials(home, env);
  const onWait = (pid: number) =>
    log.info({ pid }, "another agent, in another container, runs on this home; waiting until it ends");
  const lock = await lockHome(home, { signal, onWait }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (!lock) return "stopped";
  try {
    const journal = await Journal.open(home.journalFile, log);
    try {
      const { apiUrl, deviceKey, proofKey } = credentials;
      const self = await findSelf(createDeviceApi(apiUrl, deviceKey, proofKey), credentials, signal);
      const cloud = createDeviceApi(apiUrl, deviceKey, proofKey, self.deviceId);
      const end = AbortSignal.any([signal, journal.replaced]);
      const why = await serve({ home, env, log, journal, cloud, apiUrl, ...self }, end);
      journal.replaced.throwIfAborted();
      return why;
    } catch (error) {
      if (signal.aborted) return "stopped";
      throw error;
    } finally {
      await journal.close();
    }
  } finally {
    await removeAgentStatus(home);
    await lock.release();
  }
}

/** Reads the device's ids from the cloud if its key comes from the environment, which does not contain them. */
async function findSelf(
  cloud: DeviceApi,
  { organizationId, deviceId }: Credentials,
  signal: AbortSignal,
): Promise<Self> {
  if (organizationId !== undefined && deviceId !== undefined) return { organizationId, deviceId };
  const { device, organization } = await retry(() => cloud.self(), {
    signal,
    forMs: Number.POSITIVE_INFINITY,
    baseMs: 500,
    maxMs: 30_000,
    retryable: isTransient,
  });
  return { organizationId: organization.id, deviceId: device.id };
}

interface Self {
  organizationId: string;
  deviceId: string;
}

interface Deps extends Self {
  home: Home;
  env: Env;
  log: Log;
  journal: Journal;
  cloud: DeviceApi;
  apiUrl: string;
}

async function serve(deps: Deps, signal: AbortSignal): Promise<"stopped" | "revoked"> {
  const { home, env, log, journal, cloud, apiUrl, organizationId, deviceId } = deps;
  const store = new Store(home, organizationId);
  const programEnv = env.forPrograms;
  const locks = new RepositoryLocks();
  const sessions = new Sessions({ home, store, locks, cloud, journalId: journal.id, programEnv, log });
  const tools = createTools({
    home,
    store,
    git: createGit(env.forPrograms),
    locks,
    construction: new Construction(),
    cloud,
    organizationId,
    sessions,
    programEnv,
    apiUrl,
  });
  const outbox = new Outbox(cloud, journal, log);
  const owner = new DeviceOwner(cloud);
  const isOwner: DeviceOwner["is"] = (userId, signal) => owner.is(userId, signal);
  const executor = new Executor({ cloud, journal, outbox, tools, log, deviceId, isOwner });
  await removeUnfinishedClones(home.reposDir);
  await removeLeftScripts(home);
  // Runs in the background, since a large tree takes a while.
  emptyTrash(home.worktreesDir).catch((error) =>
    log.warn({ err: error }, "deleted worktrees' files are left"),
  );
  sessions.recover();
  executor.resume();

  let connected: boolean | undefined;
  let statusWritten = Promise.resolve();
  const onConnected = (now: boolean) => {
    if (now === connected) return;
    connected = now;
    if (now) {
      log.info("connected");
      outbox.retryNow();
      sessions.retryNow();
    }
    const status = { pid: process.pid, connected: now, since: new Date().toISOString() };
    statusWritten = statusWritten
      .then(() => writeAgentStatus(home, status))
      .catch((error) => log.warn({ err: error }, "the status file could not be written"));
  };
  onConnected(false);
  log.info({ home: home.root, journalId: journal.id }, "device agent started");
  void collectsOrphans().then((collects) => {
    if (collects === false) log.warn({ todo: ORPHANS_TODO }, ORPHANS_STAY);
  });
  const why = await stayConnected(
    {
      cloud,
      journal,
      executor,
      outbox,
      log,
      onConnected,
      onWatched: (id) => sessions.onWatched(id),
    },
    signal,
  );
  const stopped = Promise.all([executor.stop(), sessions.endAll(SESSION_GRACE_MS)]);
  await Promise.race([stopped, sleep(STOP_WORK_MS, undefined, { ref: false })]);
  // Outcomes that are not confirmed by then stay in the journal, and are reported when the agent starts again.
  const reported = Promise.all([outbox.empty(), sessions.allReported()]);
  await Promise.race([reported, sleep(LAST_REPORTS_MS, undefined, { ref: false })]);
  outbox.stop();
  sessions.close();
  await statusWritten;
  log.info("device agent stopped");
  return why;
}
