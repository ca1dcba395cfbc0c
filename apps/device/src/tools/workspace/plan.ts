import { join } from "node:path";
import type { Project, WorkspaceRequest } from "@grove/schemas";
import { CommandFailure } from "../../errors";
import { readRefs, withoutOrigin } from "../../git/refs";
import { listWorktrees } from "../../git/worktree/worktree";
import { firstFree, generateName, slugify } from "../../home/names";
import type { LocalProject, LocalWorkspace } from "../../home/store";
import { requireReady } from "../../home/workspaces";
import { isThere } from "../../lib/fileSystem";
import type { WorkspaceDeps } from "../deps";
import type { AtOrigin } from "../projects/repository";
import { type BranchPlan, isNameTaken, planExistingBranch, planNewBranch } from "./branchPlan";

/** The plan for one item of the request. */
interface WorkspacePlan extends BranchPlan {
  name: string;
  path: string;
}

/** A workspace to make, or one that already exists, with warnings for the caller. */
export type Planned = ({ plan: WorkspacePlan } | { existing: LocalWorkspace }) & { warnings: string[] };

/**
 * Decides what to make for one item: generates omitted values, and finds branch and base. If a workspace already exists
 * with the requested name and branch (as far as given), it is returned instead. Must run under the repository's lock,
 * so that the plan still holds when it is carried out.
 * @throws {CommandFailure} `invalid_input`, `name_taken`, `workspace_busy`, and the errors of {@link planNewBranch} and
 * {@link planExistingBranch}
 */
export async function planWorkspace(
  deps: WorkspaceDeps,
  project: Project,
  repository: LocalProject,
  request: WorkspaceRequest,
  atOrigin: AtOrigin,
): Promise<Planned> {
  const { git, home } = deps;
  requireOneBranch(request);
  const refs = await readRefs(git, repository.path);
  const existingBranch = request.existingBranch && withoutOrigin(refs, request.existingBranch);
  const wantedBranch = request.branchName ?? existingBranch;
  const existingWorkspaces = await listExistingWorkspaces(deps, project.id);
  const name =
    request.name ??
    wantedBranch ??
    (await generateName(
      (candidate) =>
        existingWorkspaces.some((workspace) => workspace.name === candidate) || isNameTaken(refs, candidate),
    ));

  const existing = existingWorkspaces.find((workspace) =>
    request.name === undefined ? workspace.branch === wantedBranch : workspace.name === name,
  );
  if (existing && (wantedBranch === undefined || wantedBranch === existing.branch)) {
    requireReady(existing);
    return { existing, warnings: otherBase(existing, request.baseBranch) };
  }
  if (existing)
    throw new CommandFailure(
      "name_taken",
      `This project already has a workspace "${name}" on the device, on branch '${existing.branch}' at ${existing.path}. Choose another name.`,
    );

  const target = { git, project, repository };
  const { plan, warnings } =
    existingBranch === undefined
      ? { plan: await planNewBranch(target, { refs, atOrigin }, request, name), warnings: [] }
      : await planExistingBranch(target, { refs, atOrigin }, existingBranch);
  const directory = join(home.worktreesDir, project.slug);
  // git would replace its record of a locked worktree whose directory is missing.
  const locked = (await listWorktrees(git, repository.path)).filter(({ lock }) => lock !== undefined);
  const path = join(
    directory,
    await firstFree(await slugify(name, "workspace"), async (candidate) => {
      const wanted = join(directory, candidate);
      return locked.some((worktree) => worktree.path === wanted) || (await isThere(wanted));
    }),
  );
  return { plan: { name, path, ...plan }, warnings };
}

/** @throws {CommandFailure} `invalid_input` */
function requireOneBranch({ branchName, existingBranch, baseBranch }: WorkspaceRequest): void {
  // Callers fill in the default "main", which means the same as no base.
  const isBased = baseBranch !== undefined && baseBranch !== "main";
  const other = branchName !== undefined ? "branchName" : isBased ? "baseBranch" : undefined;
  if (existingBranch === undefined || other === undefined) return;
  throw new CommandFailure(
    "invalid_input",
    `existingBranch '${existingBranch}' and ${other} are both given. Leave out ${other}: an existing branch is checked out as it is.`,
  );
}

async function listExistingWorkspaces(
  { store }: WorkspaceDeps,
  projectId: string,
): Promise<LocalWorkspace[]> {
  const existingWorkspaces = [];
  for (const workspace of await store.workspaces())
    if (workspace.projectId === projectId && (await isThere(workspace.path)))
      existingWorkspaces.push(workspace);
  return existingWorkspaces;
}

/** Warns a caller who asks for another base than the existing workspace has. */
function otherBase({ name, baseBranch }: LocalWorkspace, wanted: string | undefined): string[] {
  const withoutOriginPrefix = (branch: string) => branch.replace(/^origin\//, "");
  if (wanted === undefined || withoutOriginPrefix(wanted) === withoutOriginPrefix(baseBranch)) return [];
  return [
    `"${name}" was created from '${baseBranch}', not from '${wanted}'. Use another name to create one from there.`,
  ];
}
