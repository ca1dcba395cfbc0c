import { createDeviceApi, type DeviceApi, explainFailure } from "../cloud/deviceApi";
import type { Env } from "../env";
import { RepositoryLocks } from "../git/repositoryLocks";
import { createGit } from "../git/run";
import { type Home, openHome } from "../home/home";
import { readCredentials } from "../home/registration";
import { Store } from "../home/store";
import { createLog } from "../log";
import { recordedSessions } from "../sessions/reporting/sessionsFromFiles";
import type { WorkContext } from "../tool";
import type { WorkspaceDeps } from "../tools/deps";
import { Construction } from "../tools/workspace/construction";
import { note } from "./usage";

/** The machine's state and the API, for a command that a person runs. */
export interface Connected {
  home: Home;
  store: Store;
  cloud: DeviceApi;
  apiUrl: string;
  organizationId: string;
}

/** @throws {Error} if the machine is not registered, or the API is needed for its organization and cannot be reached */
export async function connect(env: Env): Promise<Connected> {
  const home = await openHome(env.groveHome);
  const { apiUrl, deviceKey, proofKey, organizationId: known } = await readCredentials(home, env);
  const cloud = createDeviceApi(apiUrl, deviceKey, proofKey);
  const organizationId = known ?? (await explainFailure(apiUrl, () => cloud.self())).organization.id;
  return { home, store: new Store(home, organizationId), cloud, apiUrl, organizationId };
}

/** The dependencies of the tools that make and remove workspaces, for a command that does the same here. */
export async function workspaceDeps(env: Env, connected: Connected): Promise<WorkspaceDeps> {
  const { home, store, cloud, organizationId } = connected;
  return {
    home,
    store,
    git: createGit(env.forPrograms),
    locks: new RepositoryLocks(),
    construction: new Construction(),
    sessions: await recordedSessions(home),
    cloud,
    organizationId,
    programEnv: env.forPrograms,
  };
}

/** The time between two lines of progress, so that a terminal is not flooded. */
const PROGRESS_EVERY_MS = 200;

/**
 * The context of work that a person started on this machine. Progress goes to stderr. SIGINT, SIGTERM and SIGHUP abort
 * the work and roll it back. No journal records it.
 */
export function personsContext(): WorkContext {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.once(signal, () => stop.abort(new Error(`Stopped by ${signal}. Incomplete work was undone.`)));
  let last = { message: "", at: 0 };
  return {
    requester: { id: null, isOwner: async () => true },
    signal: stop.signal,
    progress(message) {
      const at = performance.now();
      if (message === last.message || at - last.at < PROGRESS_EVERY_MS) return;
      last = { message, at };
      note(message);
    },
    note: async () => {},
    log: createLog("silent"),
  };
}
