import {
  type DeviceToolParams,
  deviceTools,
  id,
  type WorkspaceMade,
  type WorkspaceRemoved,
} from "@grove/schemas";
import type { Command } from "commander";
import { explainFailure } from "../cloud/deviceApi";
import { type Env, readEnv } from "../env";
import type { Store } from "../home/store";
import { makeWorkspaces } from "../tools/createWorkspace";
import { removeWorkspaces } from "../tools/deleteWorkspace";
import { readWorkspaces } from "../tools/listWorkspaces";
import { connect, personsContext, workspaceDeps } from "./connect";
import { answer, example, table } from "./usage";

interface CreateOptions {
  name?: string;
  branch?: string;
  existingBranch?: string;
  base?: string;
  json?: boolean;
}

interface DeleteOptions {
  force: boolean;
  deleteBranch: boolean;
  json?: boolean;
}

/** `grove-device workspace …`: the command-line form of the workspace tools. */
export function addWorkspaceCommands(program: Command): void {
  const workspace = program
    .command("workspace")
    .description("The git worktrees that Grove has on this machine.");

  workspace
    .command("create <project>")
    .description("Create a git worktree of a project (its id, slug or name), and its entry in the cloud.")
    .option("--name <name>", "the workspace's name (default: generated)")
    .option("--branch <name>", "the new branch (default: grove/<name>)")
    .option("--existing-branch <name>", "check out this branch instead of a new one")
    .option(
      "--base <branch>",
      "the branch to start from (default: main, or else the project's default branch)",
    )
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device workspace create app --name login --base develop"))
    .action((project, options) => create(readEnv(), project, options));

  workspace
    .command("list")
    .description("List the workspaces of this machine, each with its git status.")
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device workspace list"))
    .action((options) => list(readEnv(), options));

  workspace
    .command("delete <workspace...>")
    .description(
      "Remove worktrees (by id or name), and their entries in the cloud. A worktree with unsaved work is kept.",
    )
    .option("--force", "even with uncommitted or unpushed work, or running agent sessions", false)
    .option("--delete-branch", "delete the branch too, when it is merged or with --force", false)
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device workspace delete login --delete-branch"))
    .action((wanted, options) => remove(readEnv(), wanted, options));
}

async function create(env: Env, project: string, options: CreateOptions): Promise<void> {
  const { name, branch, existingBranch, base, json } = options;
  const connected = await connect(env);
  const projectId = await findProject(connected.store, project);
  const workspace = { name, branchName: branch, existingBranch, baseBranch: base };
  const params = checked("create_workspace", { projectId, workspaces: [workspace] });
  const { workspaces } = await explainFailure(connected.apiUrl, async () =>
    makeWorkspaces(await workspaceDeps(env, connected), params, personsContext()),
  );
  const [made] = workspaces;
  if (!made) throw new Error("Nothing was created.");
  answer(made, made.error?.message ?? inWords(made), json);
  if (made.error) process.exitCode = 1;
}

const inWords = ({
  name,
  id: workspaceId,
  branch,
  baseBranch,
  path,
  alreadyExisted,
  warnings = [],
}: WorkspaceMade) =>
  [
    `Workspace ${name} ${alreadyExisted ? "already exists" : "made"}: ${path}`,
    `id      ${workspaceId}`,
    `branch  ${branch}, from ${baseBranch}`,
    ...warnings.map((warning) => `Note: ${warning}`),
  ].join("\n");

async function list(env: Env, { json }: { json?: boolean }): Promise<void> {
  const connected = await connect(env);
  const workspaces = await readWorkspaces(await workspaceDeps(env, connected), undefined, personsContext());
  const rows = workspaces.map(({ id: workspaceId, name, branch, path, state, dirty, active }) => {
    const states = [
      ...(state === "ready" ? [] : [state]),
      ...(dirty ? ["changed"] : []),
      ...(active ? ["active"] : []),
    ];
    return [workspaceId, name, branch ?? "(detached)", states.join(", "), path];
  });
  answer(
    workspaces,
    rows.length > 0
      ? table(["ID", "NAME", "BRANCH", "STATE", "PATH"], rows)
      : "No workspaces yet. Run `grove-device workspace create <project>`.",
    json,
  );
}

async function remove(
  env: Env,
  wanted: string[],
  { force, deleteBranch, json }: DeleteOptions,
): Promise<void> {
  const connected = await connect(env);
  const workspaceIds: string[] = [];
  for (const one of wanted) workspaceIds.push(await findWorkspaceId(connected.store, one));
  const params = checked("delete_workspace", { workspaceIds, force, deleteBranch });
  const { workspaces } = await explainFailure(connected.apiUrl, async () =>
    removeWorkspaces(await workspaceDeps(env, connected), params, personsContext()),
  );
  answer(workspaces, workspaces.map(removedInWords).join("\n"), json);
  if (workspaces.some(({ error }) => error)) process.exitCode = 1;
}

const removedInWords = ({
  id: workspaceId,
  name,
  worktreeRemoved,
  branchDeleted,
  warnings,
  rescue,
  error,
}: WorkspaceRemoved) =>
  [
    `Workspace ${name ?? workspaceId} ${worktreeRemoved ? "deleted" : "was kept"}${branchDeleted ? ", and its branch" : ""}.`,
    ...(rescue
      ? [`Its work is kept until ${rescue.until.slice(0, 10)}: grove-device rescue ${workspaceId}`]
      : []),
    ...warnings.map((warning) => `Note: ${warning}`),
    ...(error ? [error.message] : []),
  ].join("\n");

/** Finds a project of this machine by id, slug or name. Any other of the organization is found by id and cloned. */
async function findProject(store: Store, wanted: string): Promise<string> {
  const projects = await store.projects();
  const found = projects.filter((project) => [project.id, project.slug, project.name].includes(wanted));
  const [one, ...others] = found;
  if (one && others.length === 0) return one.id;
  const parsedId = id.safeParse(wanted);
  if (parsedId.success) return parsedId.data;
  throw new Error(
    one
      ? `Several projects are called "${wanted}". Give the id of one: ${found.map((project) => `${project.id} (${project.path})`).join(", ")}.`
      : `This machine has no project "${wanted}". It has: ${projects.map(({ slug }) => slug).join(", ") || "none"}. Add one with \`grove-device project add <path>\`, or give the id of a project of the organization.`,
  );
}

async function findWorkspaceId(store: Store, wanted: string): Promise<string> {
  const workspaces = await store.workspaces();
  const found = workspaces.filter((workspace) => [workspace.id, workspace.name].includes(wanted));
  const [one, ...others] = found;
  if (one && others.length === 0) return one.id;
  throw new Error(
    one
      ? `Several workspaces are called "${wanted}". Give the id of one: ${found.map(({ id, path }) => `${id} (${path})`).join(", ")}.`
      : `This machine has no workspace "${wanted}". \`grove-device workspace list\` shows those it has.`,
  );
}

/** @throws {Error} naming each wrong value */
function checked<Name extends "create_workspace" | "delete_workspace">(
  tool: Name,
  params: unknown,
): DeviceToolParams<Name> {
  const parsed = deviceTools[tool].params.safeParse(params);
  if (parsed.success) return parsed.data as DeviceToolParams<Name>;
  throw new Error(
    parsed.error.issues.map((issue) => `${String(issue.path.at(-1))}: ${issue.message}`).join("\n"),
  );
}
