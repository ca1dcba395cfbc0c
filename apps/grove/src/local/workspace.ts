import { allOf, type Client, createClient, errorData } from "@grove/client";
import { messageOf, type Workspace } from "@grove/schemas";
import { commandFor, shell } from "../commandLine";
import type { Env } from "../env";
import { UserError } from "../errors";
import { findRunning, provenFetch } from "./overview";

/** Options of each command on a workspace. */
export interface WorkspaceOptions {
  /** Where local mode has its data; absolute. */
  dataDir: string;
  json: boolean;
}

/** A workspace of local mode, and an API client with the rights of local mode's key. */
export interface OpenWorkspace {
  client: Client;
  workspace: Workspace;
  /** Identifies the workspace in the API's inputs. */
  ids: { organizationId: string; workspaceId: string };
  /** Returns a command of this launcher, to paste into a shell. */
  command: (...words: string[]) => string;
}

/** The most workspaces that an error names. */
const MAX_NAMED = 10;

/**
 * Runs a command on a workspace of local mode.
 * @param wanted the workspace's name or id; by default the workspace of the current directory
 * @throws {UserError} with the API's reason, and the next step
 */
export async function withWorkspace(
  wanted: string | undefined,
  dataDir: string,
  env: Env,
  run: (open: OpenWorkspace) => Promise<void>,
): Promise<void> {
  const command = (...words: string[]) => shell(commandFor(dataDir, env, words));
  const local = await findRunning(dataDir);
  if (!local) throw new UserError(`Grove is not running on ${dataDir}. Start it with: ${command("start")}`);
  const { apiUrl, apiKey, organizationId } = local;
  const client = createClient({ apiUrl, token: apiKey, fetch: provenFetch(local) });
  try {
    const workspace = await find(client, organizationId, wanted, env.resolve("."));
    await run({ client, workspace, ids: { organizationId, workspaceId: workspace.id }, command });
  } catch (error) {
    const data = error instanceof Error ? errorData(error) : undefined;
    throw data ? new UserError(`${messageOf(error)} (${data.reason ?? data.code})`) : error;
  }
}

/** @throws {UserError} naming the candidates */
async function find(
  client: Client,
  organizationId: string,
  wanted: string | undefined,
  directory: string,
): Promise<Workspace> {
  const all: Workspace[] = [];
  const list = (page: object) => client.workspace.list.query({ organizationId, type: "worktree", ...page });
  for await (const workspace of allOf(list)) all.push(workspace);
  const isHere = ({ config: { path } }: Workspace) =>
    typeof path === "string" && (directory === path || directory.startsWith(`${path}/`));
  const found = all.filter((each) =>
    wanted === undefined ? isHere(each) : [each.id, each.name].includes(wanted),
  );
  const [one, ...others] = found;
  if (one && others.length === 0) return one;
  const candidates = one ? found : all;
  const shown = candidates.slice(0, MAX_NAMED).map(({ id, name }) => `${name} (${id})`);
  const names = [...shown, ...(candidates.length > MAX_NAMED ? ["…"] : [])].join(", ");
  throw new UserError(
    one
      ? `Several workspaces are called "${wanted}". Give the id of one: ${names}.`
      : `${wanted === undefined ? "The current directory is in no workspace." : `There is no workspace "${wanted}".`} Name one of: ${names || "none yet"}.`,
  );
}
