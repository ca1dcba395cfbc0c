import { allOf } from "@grove/client";
import type { Project } from "@grove/schemas";
import { type DeviceApi, reasonOf } from "../cloud/deviceApi";
import { CommandFailure } from "../errors";
import { findMainWorktree, isRepository } from "../git/locate";
import { hasNoCommits } from "../git/refs";
import { describeRepository, isSameRepository } from "../git/remote/origin";
import type { Git } from "../git/run";
import { slugify } from "./names";
import type { LocalProject, Store } from "./store";

export interface AddProjectDeps {
  git: Git;
  store: Store;
  cloud: DeviceApi;
  organizationId: string;
}

export interface AddProjectOptions {
  /** Defaults to the repository's name. */
  name?: string | undefined;
  /** Derived from the repository's name by default. */
  slug?: string | undefined;
}

export interface AddedProject {
  project: Omit<LocalProject, "organizationId">;
  /** Whether this machine already had the project. */
  alreadyAdded: boolean;
  /** Tasks that remain before the project can be used. */
  warnings: string[];
}

const NO_COMMITS = "It has no commits yet. Make a first one before you create a workspace of it.";

/**
 * Makes the repository at a path on this machine a project of the organization. If the organization already has a
 * project with its URL, that one is used. The same path twice is the same project.
 * @throws {CommandFailure} `not_a_repository`, `slug_taken`, `project_elsewhere`; the API's error if it refuses
 */
export async function addProject(
  deps: AddProjectDeps,
  path: string,
  options: AddProjectOptions,
): Promise<AddedProject> {
  const { git, store } = deps;
  const root = await findMainWorktree(git, path);
  const existingProject = (await store.projects()).find((project) => project.path === root);
  const warnings = (await hasNoCommits(git, root)) ? [NO_COMMITS] : [];
  if (existingProject) return { project: existingProject, alreadyAdded: true, warnings };

  const repository = await describeRepository(git, root);
  const fields = { ...repository, name: options.name ?? repository.repoName };
  const project =
    (await findByUrl(deps, repository.repoUrl)) ??
    (options.slug === undefined
      ? await createNumbered(deps, fields, await slugify(repository.repoName, "project"))
      : await create(deps, { ...fields, slug: options.slug }));
  if (!project)
    throw new CommandFailure(
      "slug_taken",
      `Another project has the slug "${options.slug}". Choose another with --slug.`,
    );

  const elsewhere = await store.project(project.id);
  if (elsewhere && !elsewhere.cloned && (await isRepository(elsewhere.path)))
    throw new CommandFailure(
      "project_elsewhere",
      `${project.name} is already on this machine, at ${elsewhere.path}; a project has one directory on a device.`,
    );
  const { id, name, slug, repoUrl, defaultBranch } = project;
  const added = { id, name, slug, repoUrl, defaultBranch, path: root, cloned: false };
  await store.saveProject(added);
  return { project: added, alreadyAdded: false, warnings };
}

type NewProject = Pick<Project, "name" | "slug" | "repoOwner" | "repoName" | "repoUrl" | "defaultBranch">;

/** @returns undefined if the slug is taken */
async function create(
  { cloud, organizationId }: AddProjectDeps,
  fields: NewProject,
): Promise<Project | undefined> {
  try {
    return await cloud.createProject({ organizationId, ...fields });
  } catch (error) {
    if (reasonOf(error) === "slug_taken") return undefined;
    throw error;
  }
}

async function createNumbered(
  deps: AddProjectDeps,
  fields: Omit<NewProject, "slug">,
  slug: string,
): Promise<Project> {
  for (let n = 1; ; n++) {
    const created = await create(deps, { ...fields, slug: n === 1 ? slug : `${slug}-${n}` });
    // The same repository may have been added at the same moment, from here or elsewhere.
    const project = created ?? (await findByUrl(deps, fields.repoUrl));
    if (project) return project;
  }
}

async function findByUrl(
  { cloud, organizationId }: AddProjectDeps,
  repoUrl: string,
): Promise<Project | undefined> {
  for await (const project of allOf((page) => cloud.listProjects({ organizationId, ...page })))
    if (isSameRepository(project.repoUrl, repoUrl)) return project;
  return undefined;
}
