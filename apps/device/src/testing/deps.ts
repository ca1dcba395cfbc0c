import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { onTestFinished } from "vitest";
import { createDeviceApi } from "../cloud/deviceApi";
import { RepositoryLocks } from "../git/repositoryLocks";
import { openHome } from "../home/home";
import { Store } from "../home/store";
import { HookServer } from "../hooks/hookServer";
import { installHooks } from "../hooks/install";
import { Sessions } from "../sessions/sessions";
import type { Requester, ToolContext } from "../tool";
import type { ToolDeps } from "../tools/deps";
import { Construction } from "../tools/workspace/construction";
import { ORGANIZATION_ID, OWNER_ID, startTestCloud, type TestCloud } from "./cloud";
import { silent } from "./log";
import { git, gitEnv, makeRepository } from "./repository";
import { startSizeLimit } from "./sizeLimit";

const built = new URL("../../dist/", import.meta.url);
/** The built program that agents run as their hook. */
export const hookProgram = fileURLToPath(new URL("hook.cjs", built));

export interface TestDevice extends ToolDeps {
  test: TestCloud;
  /** A directory outside the home for the test's repositories. */
  directory: string;
  hooks: HookServer | undefined;
  /** Makes a repository, adds it to this device, and makes its project in the cloud. */
  addRepository(
    name: string,
    options?: Parameters<typeof makeRepository>[1] & { defaultBranch?: string; slug?: string },
  ): Promise<{ id: string; path: string }>;
}

/** Makes a device with its own home, on a test cloud. */
/** @param maxRequestBytes the largest request that a proxy before the API accepts; without it there is no proxy */
export async function startTestDevice(maxRequestBytes?: number): Promise<TestDevice> {
  const test = await startTestCloud();
  const url = maxRequestBytes === undefined ? test.url : await startSizeLimit(test.url, maxRequestBytes);
  const directory = await temporaryDirectory();
  const home = await openHome(join(directory, "home"));
  const store = new Store(home, ORGANIZATION_ID);
  const cloud = createDeviceApi(url, "grd_test");
  const locks = new RepositoryLocks();
  const hooks = await HookServer.open(home, {}, silent);
  await installHooks(home, built);
  const sessions = new Sessions({
    home,
    store,
    locks,
    cloud,
    journalId: randomUUID(),
    programEnv: gitEnv,
    log: silent,
    hooks,
  });
  onTestFinished(async () => {
    await sessions.endAll(0);
    sessions.close();
    await hooks?.close();
  });
  return {
    test,
    directory,
    hooks,
    home,
    store,
    git,
    locks,
    construction: new Construction(),
    sessions,
    cloud,
    organizationId: ORGANIZATION_ID,
    programEnv: gitEnv,
    apiUrl: test.url,
    async addRepository(name, { defaultBranch = "main", slug = "app", ...options } = {}) {
      const path = await makeRepository(join(directory, name), options);
      const project = test.addProject({ repoUrl: `file://${path}`, defaultBranch, slug });
      await store.saveProject({
        id: project.id,
        name,
        slug,
        repoUrl: project.repoUrl,
        defaultBranch,
        path,
        cloned: false,
      });
      return { id: project.id, path };
    },
  };
}

/** The requester in tests, unless they choose another. */
export const owner: Requester = { id: OWNER_ID, isOwner: async () => true };
/** Another member of the organization. */
export const member: Requester = { id: randomUUID(), isOwner: async () => false };

/** The context of a command that a test runs itself. `notes` holds the tool's notes. */
export function testContext(signal: AbortSignal = new AbortController().signal, requester = owner) {
  const notes: unknown[] = [];
  const progress: string[] = [];
  const context: ToolContext = {
    commandId: randomUUID(),
    requester,
    signal,
    progress: (message) => progress.push(message),
    note: async (note) => void notes.push(structuredClone(note)),
    log: silent,
  };
  return { ...context, notes, lines: progress };
}
