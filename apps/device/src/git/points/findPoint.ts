import { CommandFailure } from "../../errors";
import type { OpenWorktree } from "../worktree/openWorktree";
import { forkRef, type PointRef, readAllPoints, readPoints } from "./pointRefs";

export interface FoundPoint {
  /** The commit that HEAD was at when the point was made. */
  pointHead: string;
  /** The files that were staged, as a commit. */
  staged: string;
  /** Undefined if the point does not name its branch. */
  branch: string | undefined;
}

/** @throws {CommandFailure} `point_gone` */
export async function findPoint(
  { git, path }: OpenWorktree,
  workspaceId: string,
  commit: string,
): Promise<FoundPoint> {
  const isWanted = (point: PointRef) => point.commit === commit;
  const point = (await readAllPoints(git, path, workspaceId)).find(isWanted);
  const [pointHead, staged = pointHead] = point?.parents ?? [];
  if (point && pointHead !== undefined && staged !== undefined)
    return { pointHead, staged, branch: /^Branch: (.*)$/m.exec(point.message)?.[1] };
  if ((await readPoints(git, path, forkRef(workspaceId))).some(isWanted))
    return { pointHead: commit, staged: commit, branch: undefined };
  throw new CommandFailure(
    "point_gone",
    `The workspace has no restore point ${commit}. Choose another: list_points returns those it has.`,
  );
}
