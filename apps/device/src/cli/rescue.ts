import { homedir } from "node:os";
import { resolve } from "node:path";
import { RESCUE_DAYS } from "@grove/schemas";
import type { Command } from "commander";
import { type Env, readEnv } from "../env";
import { bringBack } from "../git/points/bringBack";
import { listRescues, type Rescue } from "../git/points/rescue";
import { checkNewBranchName, readRefs } from "../git/refs";
import { createGit, type Git } from "../git/run";
import { firstFree, slugify } from "../home/names";
import type { Store } from "../home/store";
import { connect } from "./connect";
import { answer, example, table } from "./usage";

interface Options {
  to?: string;
  json?: boolean;
}

/** The work of a deleted workspace, with the repository that keeps it. */
interface Found extends Rescue {
  repository: string;
}

/** `grove-device rescue` */
export function addRescueCommand(program: Command): void {
  program
    .command("rescue [workspace]")
    .description(
      `List the work of deleted workspaces, which is kept for ${RESCUE_DAYS} days, or bring one back (by id or name).`,
    )
    .option(
      "--to <directory or branch>",
      "check it out in a new directory (a path with . or / at its beginning), or name the new branch (default: grove/rescued-<name>)",
    )
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device rescue", "grove-device rescue login --to ./login"))
    .action((workspace, options) => run(readEnv(), workspace, options));
}

async function run(env: Env, wanted: string | undefined, { to, json }: Options): Promise<void> {
  const { store } = await connect(env);
  const git = createGit(env.forPrograms);
  const found = await findAll(git, store);
  if (wanted === undefined) answer(found, formatRescues(found), json);
  else await rescue(git, choose(found, wanted), { to, json });
}

async function findAll(git: Git, store: Store): Promise<Found[]> {
  const found: Found[] = [];
  for (const { path } of await store.projects())
    for (const each of await listRescues(git, path)) found.push({ ...each, repository: path });
  return found;
}

function formatRescues(found: Found[]): string {
  if (found.length === 0) return "No work of deleted workspaces is kept.";
  const rows = found.map(({ workspaceId, name, branch, deletedAt, until }) => [
    ...[workspaceId, name, branch, dayOf(deletedAt), dayOf(until)],
  ]);
  return table(["ID", "NAME", "BRANCH", "DELETED", "KEPT UNTIL"], rows);
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** @throws {Error} naming the candidates */
function choose(found: Found[], wanted: string): Found {
  const [one, ...others] = found.filter(({ workspaceId, name }) => [workspaceId, name].includes(wanted));
  if (one && others.length === 0) return one;
  throw new Error(
    one
      ? `Several deleted workspaces were called "${wanted}". Give the id of one: ${[one, ...others].map(({ workspaceId }) => workspaceId).join(", ")}.`
      : `Nothing is kept of a workspace "${wanted}". \`grove-device rescue\` lists what is kept.`,
  );
}

async function rescue(git: Git, found: Found, { to, json }: Options): Promise<void> {
  const { repository, name, head, uncommitted } = found;
  const isDirectory = to !== undefined && /^[./~]/.test(to);
  const directory = isDirectory ? resolve(to.replace(/^~(?=\/|$)/, homedir())) : undefined;
  const branch = to === undefined || isDirectory ? await freeBranch(git, repository, name) : to;
  await checkNewBranchName(git, repository, branch);
  await bringBack(git, repository, found, { branch, directory });
  const words = [
    `Branch ${branch} has the work of workspace ${name}.`,
    directory === undefined
      ? `Check it out: git -C '${repository}' worktree add <directory> ${branch}`
      : `It is checked out in ${directory}`,
    ...(uncommitted && head !== undefined
      ? [`Its last commit holds what was not committed. To undo only that commit: git reset ${head}`]
      : []),
  ];
  answer({ branch, repository, directory: directory ?? null, uncommitted }, words.join("\n"), json);
}

async function freeBranch(git: Git, repository: string, name: string): Promise<string> {
  const refs = await readRefs(git, repository);
  const wanted = `grove/rescued-${await slugify(name, "workspace")}`;
  return firstFree(wanted, async (candidate) => refs.has(`refs/heads/${candidate}`));
}
