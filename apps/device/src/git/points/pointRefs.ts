import { answerOf, type Git } from "../run";
import { expiredPoints, rescuedUntil } from "./retention";

const ROOT = "refs/grove";
export const RESCUES = `${ROOT}/rescue`;

/** The commit where a workspace began. */
export const forkRef = (workspaceId: string): string => `${ROOT}/${workspaceId}/fork`;
/** The files before the running or last turn of an agent. */
export const turnStartRef = (workspaceId: string): string => `${ROOT}/${workspaceId}/turn-start`;
/** The files that each person has seen last. */
export const seenOf = (workspaceId: string): string => `${ROOT}/${workspaceId}/seen`;
/** The numbered restore points. Their refs end in their numbers. */
export const numberedPointsPrefix = (workspaceId: string): string => `${ROOT}/${workspaceId}/turn`;
/** The commit of a workspace's branch that Grove pushed last. */
export const pushedRef = (workspaceId: string): string => `${ROOT}/${workspaceId}/pushed`;
/** The work of a deleted workspace. */
export const rescueRef = (workspaceId: string): string => `${RESCUES}/${workspaceId}`;

/** A restore point as git keeps it. */
export interface PointRef {
  ref: string;
  commit: string;
  tree: string;
  parents: string[];
  /** When the point was made, in milliseconds. */
  at: number;
  message: string;
}

const FORMAT = ["refname", "objectname", "tree", "parent", "committerdate:unix", "contents"]
  .map((field) => `%(${field})`)
  .join("%00");

/** Reads the points under a prefix, or the one of that name. */
export async function readPoints(git: Git, repository: string, prefix: string): Promise<PointRef[]> {
  // A message ends in a line break, and so does each entry.
  const listed = await git(["for-each-ref", `--format=${FORMAT}%00%00`, prefix], { cwd: repository });
  return listed
    .split("\0\0\n")
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [ref = "", commit = "", tree = "", parents = "", seconds = "", message = ""] = entry.split("\0");
      return {
        ref,
        commit,
        tree,
        message,
        parents: parents.split(" ").filter((parent) => parent !== ""),
        at: Number(seconds) * 1_000,
      };
    });
}

/** The number of a restore point, which its ref ends in. */
export const numberOf = ({ ref }: Pick<PointRef, "ref">): number =>
  Number(ref.slice(ref.lastIndexOf("/") + 1));

/** The restore points of a workspace, oldest first. */
export const readNumberedPoints = async (
  git: Git,
  repository: string,
  workspaceId: string,
): Promise<PointRef[]> =>
  (await readPoints(git, repository, numberedPointsPrefix(workspaceId))).sort(
    (one, other) => numberOf(one) - numberOf(other),
  );

/**
 * Reads all restore points of a workspace. These include the points that are kept at any age: the one before the last
 * turn, and for each person the version that they viewed last.
 */
export const readAllPoints = async (
  git: Git,
  repository: string,
  workspaceId: string,
): Promise<PointRef[]> => [
  ...(await readNumberedPoints(git, repository, workspaceId)),
  ...(await readPoints(git, repository, turnStartRef(workspaceId))),
  ...(await readPoints(git, repository, seenOf(workspaceId))),
];

/** Whether a push to a remote would carry all refs, restore points too. */
export async function hasMirror(git: Git, repository: string): Promise<boolean> {
  const args = ["config", "--type=bool", "--get-regexp", "^remote\\..*\\.mirror$"];
  const found = await answerOf(git(args, { cwd: repository }));
  return found !== undefined && / true$/m.test(found);
}

/**
 * Makes a commit without anything of the user's configuration: identity, encoding and signature.
 * @returns its id
 */
export async function writeCommit(
  git: Git,
  repository: string,
  { tree, parents, message }: Pick<PointRef, "tree" | "parents" | "message">,
): Promise<string> {
  const person = `Grove <grove@localhost> ${Math.floor(Date.now() / 1_000)} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${person}`,
    `committer ${person}`,
  ];
  const input = `${lines.join("\n")}\n\n${message}\n`;
  return (await git(["hash-object", "-t", "commit", "-w", "--stdin"], { cwd: repository, input })).trim();
}

/** Removes the points of a workspace that are too old, and expired rescue points of the repository. */
export async function pruneExpired(git: Git, repository: string, workspaceId: string): Promise<void> {
  const now = Date.now();
  const rescues = await readPoints(git, repository, RESCUES);
  await removeRefs(git, repository, [
    ...expiredPoints(await readNumberedPoints(git, repository, workspaceId), now),
    ...rescues.filter(({ at }) => rescuedUntil(at).getTime() < now),
  ]);
}

/** Removes the fork commit and all restore points of a workspace, but not its rescue point. */
export async function removePoints(git: Git, repository: string, workspaceId: string): Promise<void> {
  await removeRefs(git, repository, await readPoints(git, repository, `${ROOT}/${workspaceId}`));
}

async function removeRefs(git: Git, repository: string, refs: PointRef[]): Promise<void> {
  if (refs.length === 0) return;
  const input = refs.map(({ ref, commit }) => `delete ${ref} ${commit}\n`).join("");
  await git(["update-ref", "--no-deref", "--stdin"], { cwd: repository, input });
}
