import type { Command } from "commander";
import { explainFailure } from "../cloud/deviceApi";
import { type Env, readEnv } from "../env";
import { createGit } from "../git/run";
import { readConfig } from "../home/config";
import { addProject } from "../home/projects";
import { connect } from "./connect";
import { answer, example, table } from "./usage";

interface AddOptions {
  name?: string;
  slug?: string;
  json?: boolean;
}

/** `grove-device project …` */
export function addProjectCommands(program: Command): void {
  const project = program
    .command("project")
    .description("The repositories on this machine that Grove can use.");

  project
    .command("add <path>")
    .description("Add the git repository at a path as a project of the organization.")
    .option("--name <name>", "the project's name (default: the repository's)")
    .option("--slug <slug>", "the project's slug (default: made from the repository's name)")
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device project add ~/code/app"))
    .action((path, options) => add(readEnv(), path, options));

  project
    .command("list")
    .description("List the projects of this machine.")
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device project list"))
    .action((options) => list(readEnv(), options));
}

async function add(env: Env, path: string, { json, name, slug }: AddOptions): Promise<void> {
  const { home, store, cloud, apiUrl, organizationId } = await connect(env);
  const deps = { git: createGit(env.forPrograms), store, cloud, organizationId };
  const added = await explainFailure(apiUrl, () => addProject(deps, path, { name, slug }));
  const { project, alreadyAdded, warnings } = added;
  const words = [
    `Project ${project.name} ${alreadyAdded ? "already exists" : "added"}: ${project.path}`,
    `id    ${project.id}`,
    `slug  ${project.slug}`,
    `from  ${project.repoUrl} (${project.defaultBranch})`,
    ...warnings.map((warning) => `Note: ${warning}`),
    ...((await readConfig(home)).restorePoints === false ? [] : [KEEPS_POINTS]),
  ];
  answer({ ...project, alreadyAdded, warnings }, words.join("\n"), json);
}

const KEEPS_POINTS =
  "Restore points are kept as commits under refs/grove/ of this repository; the project's page turns them off.";

async function list(env: Env, { json }: { json?: boolean }): Promise<void> {
  const { store } = await connect(env);
  const projects = await store.projects();
  const rows = projects.map(({ id, name, path }) => [id, name, path]);
  answer(
    projects,
    rows.length > 0
      ? table(["ID", "NAME", "PATH"], rows)
      : "No projects yet. Run `grove-device project add <path>`.",
    json,
  );
}
