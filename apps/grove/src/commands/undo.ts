import { allOf, type Client, createClient, errorData } from "@grove/client";
import { type ListedPoints, messageOf, type Workspace } from "@grove/schemas";
import { commandFor, shell } from "../commandLine";
import type { Env } from "../env";
import { UserError } from "../errors";
import { findRunning, provenFetch } from "../local/overview";
import { print } from "../print";

export interface UndoOptions {
  /** Where local mode has its data; absolute. */
  dataDir: string;
  /** The number of a turn, `fork`, or the commit of a point. */
  to?: string;
  branch: boolean;
  json: boolean;
}

type Point = ListedPoints["points"][number];

/** The most workspaces that an error names. */
const MAX_NAMED = 10;

/**
 * `grove undo [workspace]`: lists the restore points of a workspace, or restores one with `to`. Without a workspace, it
 * is the one of the current directory.
 * @throws {UserError} with the API's reason, and the next step
 */
export async function undo(wanted: string | undefined, options: UndoOptions, env: Env): Promise<void> {
  const { dataDir, to, branch, json } = options;
  const local = await findRunning(dataDir);
  if (!local)
    throw new UserError(
      `Grove is not running on ${dataDir}. Start it with: ${shell(commandFor(dataDir, env, ["start"]))}`,
    );
  const { apiUrl, apiKey, organizationId } = local;
  const restoreCommand = ({ name }: Workspace, point: string) =>
    shell(commandFor(dataDir, env, ["undo", name, "--to", point]));
  const client = createClient({ apiUrl, token: apiKey, fetch: provenFetch(local) });
  try {
    const workspace = await find(client, organizationId, wanted, env.resolve("."));
    const of = { organizationId, workspaceId: workspace.id };
    const { points, head, off } = await client.workspace.listPoints.query(of);
    if (to === undefined) {
      const answer = { workspaceId: workspace.id, head, ...(off && { off }), points };
      if (json) process.stdout.write(`${JSON.stringify(answer)}\n`);
      else print(listed(workspace, points, restoreCommand(workspace, "<turn>")));
      return;
    }
    const { point } = choose(points, to);
    if (head === null) throw new UserError("The workspace has no commit yet, so nothing can be restored.");
    const restoration = { point, mode: branch ? ("branch" as const) : ("files" as const), expectHead: head };
    const { newPoint } = await client.workspace.undo.mutate({ ...of, ...restoration });
    if (json) process.stdout.write(`${JSON.stringify({ workspaceId: workspace.id, point, newPoint })}\n`);
    else
      print(
        `The files of ${workspace.name} are as they were at restore point ${to}${branch ? ", and so is its branch" : ""}.\nTo bring the replaced files back: ${restoreCommand(workspace, newPoint.slice(0, 12))}\n`,
      );
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

/** @throws {UserError} */
function choose(points: Point[], to: string): Point {
  const isWanted = ({ kind, turn, point }: Point) =>
    to === "fork" ? kind === "fork" : `${turn}` === to || (to.length >= 7 && point.startsWith(to));
  const point = points.find(isWanted);
  if (point) return point;
  throw new UserError(`There is no restore point "${to}". Run it without --to to list them. (point_gone)`);
}

function listed({ name }: Workspace, points: Point[], restore: string): string {
  if (points.length === 0) return `The workspace ${name} has no restore points yet.\n`;
  const rows = points.map(({ kind, turn, at, files, added, removed, point }) => [
    kind === "fork" ? "fork" : `${turn}`,
    at,
    `${files} ${files === 1 ? "file" : "files"} +${added} -${removed}`,
    point.slice(0, 12),
  ]);
  const all = [["TURN", "AT", "CHANGES", "POINT"], ...rows];
  const width = (column: number) => Math.max(...all.map((row) => row[column]?.length ?? 0));
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(width(column)))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\nRestore one with: ${restore}\n`;
}
