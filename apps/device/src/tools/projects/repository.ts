import { rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, type Project, type WorkspaceRequest } from "@grove/schemas";
import { retry } from "@grove/signals/retry";
import { codeOf } from "../../cloud/deviceApi";
import { apiRetryOptions } from "../../cloud/retryOptions";
import { CommandFailure } from "../../errors";
import { isRepository } from "../../git/locate";
import { knowsBase, type Refs, readRefs, withoutOrigin } from "../../git/refs";
import { clone } from "../../git/remote/clone";
import { branchesAtOrigin, fetchBranch, fetchOrigin, OriginError } from "../../git/remote/remote";
import { cloneHost } from "../../git/remote/url";
import { readConfig } from "../../home/config";
import type { LocalProject } from "../../home/store";
import { isThere } from "../../lib/fileSystem";
import { matchesAnyGlob } from "../../lib/patterns";
import type { Requester, WorkContext } from "../../tool";
import type { WorkspaceDeps } from "../deps";

/**
 * Reads the project as the API has it now.
 * @throws {CommandFailure} `project_not_found`, `cloud_unreachable`
 */
export async function readProject(
  { cloud, organizationId }: WorkspaceDeps,
  projectId: string,
  signal: AbortSignal,
): Promise<Project> {
  try {
    const fetchProject = () => cloud.getProject({ organizationId, id: projectId });
    const project = await retry(fetchProject, { ...apiRetryOptions, signal });
    if (project.id !== projectId) throw new Error(`the API answered with the project ${project.id}`);
    return project;
  } catch (error) {
    if (signal.aborted) throw error;
    if (codeOf(error) === "NOT_FOUND")
      throw new CommandFailure(
        "project_not_found",
        `There is no project ${projectId} in this device's organization.`,
      );
    throw new CommandFailure(
      "cloud_unreachable",
      `The device could not read the project ${projectId}: ${messageOf(error)}`,
    );
  }
}

export interface FoundRepository extends LocalProject {
  /** Why the agent's own clone may be older than its origin, as a sentence. */
  notFetched?: string | undefined;
}

/**
 * Finds the project's repository on this machine. That is the directory that was added here, or otherwise the agent's
 * own clone, which is made if missing and fetched if present. If the fetch fails, the clone is used anyway,
 * with the reason in `notFetched`.
 * @throws {CommandFailure} `repository_missing`, `repository_not_on_device`, `host_not_allowed`, and the errors of
 * {@link clone}
 */
export function findRepository(
  deps: WorkspaceDeps,
  project: Project,
  context: WorkContext,
): Promise<FoundRepository> {
  const { store, git, locks, home } = deps;
  const { signal, progress, log } = context;
  const clonePath = join(home.reposDir, project.id);
  // Runs under a lock, so that two commands for a project that is not cloned yet share one clone.
  const find = async () => {
    const localProject = await store.project(project.id);
    if (localProject && !localProject.cloned) {
      if (await isRepository(localProject.path)) return localProject;
      throw new CommandFailure("repository_missing", missingAt(localProject));
    }
    if (localProject && (await isRepository(localProject.path))) {
      try {
        await fetchOrigin(git, localProject.path, progress, signal);
        return localProject;
      } catch (error) {
        if (!(error instanceof OriginError)) throw error;
        log.warn({ err: error }, "continuing with the last fetched state");
        return { ...localProject, notFetched: error.message };
      }
    }
    if (project.repoUrl.startsWith("file:"))
      throw new CommandFailure(
        "repository_not_on_device",
        `The repository of ${project.name} (${project.repoUrl}) is a directory on the device where it was added, and this is another device. Run \`grove-device project add <path>\` here, or use that device.`,
      );
    await requireCloneHost(deps, project, context.requester);
    // Removes what a crash between cloning and saving may have left.
    await rm(clonePath, { recursive: true, force: true });
    await clone(git, project.repoUrl, clonePath, progress, signal);
    const { id, name, slug, repoUrl, defaultBranch } = project;
    const cloned = { id, name, slug, repoUrl, defaultBranch, path: clonePath, cloned: true };
    await store.saveProject(cloned);
    return { ...cloned, organizationId: deps.organizationId };
  };
  return locks.run(clonePath, find, signal);
}

/**
 * Finds the project's repository without cloning or fetching it.
 * @throws {CommandFailure} `repository_not_on_device`, `repository_missing`
 */
export async function requireLocalRepository(
  { store }: Pick<WorkspaceDeps, "store">,
  projectId: string,
): Promise<LocalProject> {
  const project = await store.project(projectId);
  if (!project)
    throw new CommandFailure(
      "repository_not_on_device",
      "The repository of this project is not on this device yet. Its first workspace clones it.",
    );
  if (!(await isThere(project.path))) throw new CommandFailure("repository_missing", missingAt(project));
  return project;
}

/** The problem of a repository that was moved or deleted, with the command that repairs it. */
export const missingAt = ({ name, path }: Pick<LocalProject, "name" | "path">): string =>
  `The repository of ${name} was at ${path} but is no longer there. Run \`grove-device project add <path>\` on the device with the path where it is now.`;

/**
 * Checks that this machine clones from a project's host. Members choose the address, but git connects with the keys of
 * this machine's user.
 * @throws {CommandFailure} `host_not_allowed`, `config_invalid`
 */
async function requireCloneHost(
  { home }: WorkspaceDeps,
  { name, repoUrl }: Project,
  requester: Requester,
): Promise<void> {
  if (await requester.isOwner()) return;
  const host = cloneHost(repoUrl);
  // The clone refuses an invalid address and explains why.
  if (host === undefined || matchesAnyGlob((await readConfig(home)).cloneHosts, host)) return;
  throw new CommandFailure(
    "host_not_allowed",
    `The repository of ${name} is not on this device, which clones from ${host} only for its owner. The owner can make the first workspace of the project, or list the host under "cloneHosts" in ${home.configFile}.`,
  );
}

/** The state of the requested branches at `origin`. */
export interface AtOrigin {
  /** The branches that `origin` has now, fetched or not. */
  branches: readonly string[];
  /** Whether `origin` answered. */
  answered: boolean;
  /** The reason for a failure, as a sentence. */
  failure?: string | undefined;
}

/**
 * Queries `origin` for the requested branches. Branches and bases that worktrees need and that are missing here are
 * fetched. The agent's own clone is not queried, since it has just been fetched as a whole.
 */
export async function queryOrigin(
  { git, locks }: WorkspaceDeps,
  { path, cloned, notFetched }: FoundRepository,
  requests: readonly WorkspaceRequest[],
  { signal, progress }: WorkContext,
): Promise<AtOrigin> {
  if (cloned) return { branches: [], answered: notFetched === undefined, failure: notFetched };
  const refs = await readRefs(git, path);
  const named = requests.flatMap(
    ({ branchName, existingBranch = "" }) => branchName ?? withoutOrigin(refs, existingBranch),
  );
  const wanted = [...new Set([...named, ...toFetch(refs, requests)])].filter((name) => name !== "");
  if (wanted.length === 0) return { branches: [], answered: true };
  progress("Listing the branches of origin");
  const answer: AtOrigin = { branches: [], answered: false };
  try {
    answer.branches = await branchesAtOrigin(git, path, wanted, signal);
    answer.answered = true;
    // One after another: a command that waits here also finds the branches that earlier ones have fetched.
    const fetchMissing = async () => {
      for (const branch of toFetch(await readRefs(git, path), requests))
        if (answer.branches.includes(branch)) await fetchBranch(git, path, branch, progress, signal);
    };
    await locks.run(`origin of ${path}`, fetchMissing, signal);
  } catch (error) {
    if (!(error instanceof OriginError)) throw error;
    answer.failure = error.message;
  }
  return answer;
}

/** Returns the branches from which worktrees are to be made, and that were not fetched yet. */
const toFetch = (refs: Refs, requests: readonly WorkspaceRequest[]): string[] =>
  requests.flatMap(({ existingBranch, baseBranch }) => {
    const existing = existingBranch && withoutOrigin(refs, existingBranch);
    if (existing !== undefined) return refs.has(`refs/remotes/origin/${existing}`) ? [] : [existing];
    return baseBranch === undefined || knowsBase(refs, baseBranch)
      ? []
      : [baseBranch.replace(/^origin\//, "")];
  });
