import { createCloud, explained } from "../cloud";
import type { Env } from "../env";
import { createGit } from "../git/run";
import { openHome } from "../home";
import { addProject } from "../projects";
import { readCredentials } from "../registration";
import { Store } from "../store";

export interface ProjectAddOptions {
  name?: string;
  slug?: string;
  json?: boolean;
}

/** Makes the repository at a path a project of the organization, and of this machine. */
export async function projectAdd(
  env: Env,
  path: string,
  { json, name, slug }: ProjectAddOptions,
): Promise<void> {
  const { home, cloud, apiUrl, organizationId } = await connect(env);
  const parts = {
    git: createGit(env.forPrograms),
    store: new Store(home, organizationId),
    cloud,
    organizationId,
  };
  const { project, alreadyAdded } = await explained(apiUrl, () => addProject(parts, path, { name, slug }));
  const said = alreadyAdded ? "is there already" : "added";
  process.stdout.write(
    json
      ? `${JSON.stringify({ ...project, alreadyAdded })}\n`
      : `Project ${project.name} ${said}: ${project.path}\nid    ${project.id}\nslug  ${project.slug}\nfrom  ${project.repoUrl} (${project.defaultBranch})\n`,
  );
}

/** Prints the projects of this machine. */
export async function projectList(env: Env, { json }: { json?: boolean }): Promise<void> {
  const { home, organizationId } = await connect(env);
  const projects = await new Store(home, organizationId).projects();
  if (json) process.stdout.write(`${JSON.stringify(projects)}\n`);
  else if (projects.length === 0)
    process.stdout.write("No projects yet. Run `grove-device project add <path>`.\n");
  else for (const { id, name, path } of projects) process.stdout.write(`${id}  ${name}  ${path}\n`);
}

async function connect(env: Env) {
  const home = await openHome(env.groveHome);
  const { apiUrl, deviceKey, organizationId } = await readCredentials(home, env);
  const cloud = createCloud(apiUrl, deviceKey);
  const asked = organizationId ?? (await explained(apiUrl, () => cloud.self())).organization.id;
  return { home, apiUrl, cloud, organizationId: asked };
}
