import { setTimeout as sleep } from "node:timers/promises";
import { retry } from "@grove/signals/retry";
import { createDeviceApi, type DeviceApi, isTransient } from "./cloud/deviceApi";
import { stayConnected } from "./commands/connection";
import { Executor } from "./commands/executor";
import { Journal } from "./commands/journal";
import { Outbox } from "./commands/outbox";
import { collectsOrphans, ORPHANS_STAY, ORPHANS_TODO } from "./doctor/orphans";
import type { Env } from "./env";
import { removeUnfinishedClones } from "./git/remote/clone";
import { RepositoryLocks } from "./git/repositoryLocks";
import { createGit } from "./git/run";
import { emptyTrash } from "./git/worktree/removeWorktree";
import { DeviceOwner } from "./home/deviceOwner";
import type { Home } from "./home/home";
import { lockHome } from "./home/homeLock";
import { type Credentials, readCredentials } from "./home/registration";
import { pruneScriptRuns } from "./home/scriptRuns";
import { Store } from "./home/store";
import { HookServer } from "./hooks/hookServer";
import { installHooks } from "./hooks/install";
import type { Log } from "./log";
import { Sessions } from "./sessions/sessions";
import { removeAgentStatus, StatusFile } from "./statusFile";
import type { ToolDeps } from "./tools/deps";
import { makeTurnPoint } from "./tools/points/turnPoint";
import { removeLeftScripts } from "./tools/projects/repositoryScript";
import { type ReportedBranches, reportBranch } from "./tools/reportBranch";
import { createTools } from "./tools/tools";
import { Construction } from "./tools/workspace/construction";

/** Enough time for git to end (TERM, then KILL after 5 s) and for half-made work to be undone. */
const STOP_WORK_MS = 8_000;
const SESSION_GRACE_MS = 5_000;
const LAST_REPORTS_MS = 1_500;

/**
 * Runs this machine's device agent until the signal is aborted.
 * @returns `revoked` when the API no longer accepts its key
 * @throws {Error} if the machine is not registered, if another device agent runs on the same home, or if the journal
 * cannot be written or becomes another agent's
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

/** Without hooks, agents still run, and their states are guessed. */
async function openHooks(home: Home, env: NodeJS.ProcessEnv, log: Log): Promise<HookServer | undefined> {
  try {
    await installHooks(home, new URL("./", import.meta.url));
  } catch (error) {
    log.warn({ err: error }, "agents cannot report what they do: the programs for their hooks are missing");
    return undefined;
  }
  return HookServer.open(home, env, log);
}

/** Makes the parts of a running device agent. */
async function createParts(deps: Deps) {
  const { home, env, log, journal, cloud, apiUrl, organizationId, deviceId } = deps;
  const store = new Store(home, organizationId);
  const programEnv = env.forPrograms;
  const locks = new RepositoryLocks();
  const hooks = await openHooks(home, programEnv, log);
  const sessions = new Sessions({ home, store, locks, cloud, journalId: journal.id, programEnv, log, hooks });
  const toolDeps: ToolDeps = {
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
  };
  const tools = createTools(toolDeps);
  const reportedBranches: ReportedBranches = new Map();
  sessions.onTurn = (workspaceId, moment) => {
    void makeTurnPoint(toolDeps, workspaceId, moment, log);
    void reportBranch(toolDeps, reportedBranches, workspaceId, log);
  };
  const outbox = new Outbox(cloud, journal, log);
  const owner = new DeviceOwner(cloud);
  const isOwner: DeviceOwner["is"] = (userId, signal) => owner.is(userId, signal);
  const executor = new Executor({ cloud, journal, outbox, tools, log, deviceId, isOwner });
  return { hooks, sessions, outbox, executor };
}

type Parts = Awaited<ReturnType<typeof createParts>>;

async function serve(deps: Deps, signal: AbortSignal): Promise<"stopped" | "revoked"> {
  const { home, log, journal, cloud } = deps;
  const parts = await createParts(deps);
  const { sessions, outbox, executor } = parts;
  await removeUnfinishedClones(home.reposDir);
  await removeLeftScripts(home);
  await pruneScriptRuns(home);
  // Runs in the background, since a large tree takes a while.
  emptyTrash(home.worktreesDir).catch((error) =>
    log.warn({ err: error }, "deleted worktrees' files are left"),
  );
  sessions.recover();
  executor.resume();

  const statusFile = new StatusFile(home, log);
  let connected = false;
  statusFile.write(connected);
  const onConnected = (now: boolean) => {
    if (now === connected) return;
    connected = now;
    if (now) {
      log.info("connected");
      outbox.retryNow();
      sessions.retryNow();
    }
    statusFile.write(now);
  };
  log.info({ home: home.root, journalId: journal.id }, "device agent started");
  void collectsOrphans().then((collects) => {
    if (collects === false) log.warn({ todo: ORPHANS_TODO }, ORPHANS_STAY);
  });
  const onWatched = (id: string) => sessions.onWatched(id);
  const why = await stayConnected({ cloud, journal, executor, outbox, log, onConnected, onWatched }, signal);
  await shutDown(parts);
  await statusFile.written();
  log.info("device agent stopped");
  return why;
}

/** Ends the work and the sessions, and reports their outcomes, as far as the time allows. */
async function shutDown({ hooks, sessions, outbox, executor }: Parts): Promise<void> {
  const stopped = Promise.all([executor.stop(), sessions.endAll(SESSION_GRACE_MS)]);
  await Promise.race([stopped, sleep(STOP_WORK_MS, undefined, { ref: false })]);
  // Outcomes that are not confirmed by then stay in the journal, and are reported when the device agent starts again.
  const reported = Promise.all([outbox.empty(), sessions.allReported()]);
  await Promise.race([reported, sleep(LAST_REPORTS_MS, undefined, { ref: false })]);
  outbox.stop();
  sessions.close();
  await hooks?.close();
}
