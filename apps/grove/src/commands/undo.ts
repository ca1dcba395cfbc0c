import { type ListedPoints, shortCommit, type Workspace } from "@grove/schemas";
import type { Env } from "../env";
import { UserError } from "../errors";
import { type WorkspaceOptions, withWorkspace } from "../local/workspace";
import { pluralize, print, printJson, table } from "../print";

export interface UndoOptions extends WorkspaceOptions {
  /** The number of a turn, `fork`, or the commit of a restore point. */
  to?: string;
  branch: boolean;
}

type Point = ListedPoints["points"][number];

/**
 * `grove undo [workspace]`: lists the restore points of a workspace, or restores one with `to`. Without a workspace, it
 * is the one of the current directory.
 * @throws {UserError} with the API's reason, and the next step
 */
export const undo = (wanted: string | undefined, { dataDir, to, branch, json }: UndoOptions, env: Env) =>
  withWorkspace(wanted, dataDir, env, async ({ client, workspace, ids, command }) => {
    const { workspaceId } = ids;
    const { points, head, off } = await client.workspace.listPoints.query(ids);
    const restoreCommand = (point: string) => command("undo", workspace.name, "--to", point);
    if (to === undefined) {
      if (json) printJson({ workspaceId, head, ...(off && { off }), points });
      else print(formatPoints(workspace, points, restoreCommand("<turn>")));
      return;
    }
    const { point } = choose(points, to);
    if (head === null) throw new UserError("The workspace has no commit yet, so nothing can be restored.");
    const restoration = { point, mode: branch ? ("branch" as const) : ("files" as const), expectHead: head };
    const { newPoint } = await client.workspace.undo.mutate({ ...ids, ...restoration });
    if (json) printJson({ workspaceId, point, newPoint });
    else
      print(
        `The files of ${workspace.name} are as they were at restore point ${to}${branch ? ", and so is its branch" : ""}.\nTo bring the replaced files back: ${restoreCommand(shortCommit(newPoint))}\n`,
      );
  });

/** @throws {UserError} */
function choose(points: Point[], to: string): Point {
  const isWanted = ({ kind, turn, point }: Point) =>
    to === "fork" ? kind === "fork" : `${turn}` === to || (to.length >= 7 && point.startsWith(to));
  const point = points.find(isWanted);
  if (point) return point;
  throw new UserError(`There is no restore point "${to}". Run it without --to to list them. (point_gone)`);
}

function formatPoints({ name }: Workspace, points: Point[], restore: string): string {
  if (points.length === 0) return `The workspace ${name} has no restore points yet.\n`;
  const rows = points.map(({ kind, turn, at, files, added, removed, point }) => [
    kind === "fork" ? "fork" : `${turn}`,
    at,
    `${pluralize(files, "file")} +${added} -${removed}`,
    shortCommit(point),
  ]);
  return `${table([["TURN", "AT", "CHANGES", "POINT"], ...rows])}\nRestore one with: ${restore}\n`;
}
