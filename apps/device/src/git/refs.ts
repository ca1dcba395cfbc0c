import { CommandFailure } from "../errors";
import { answerOf, exitsWithZero, type Git } from "./run";

/** The branches of a repository at one moment, by full name (`refs/heads/…`, `refs/remotes/…`), with their commits. */
export type Refs = Map<string, string>;

export async function readRefs(git: Git, repository: string): Promise<Refs> {
  const format = "--format=%(refname) %(objectname)";
  const listed = await git(["for-each-ref", format, "refs/heads/", "refs/remotes/"], { cwd: repository });
  return new Map(
    listed
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.split(" ") as [string, string]),
  );
}

/** Whether a base is a commit instead of a branch, which it is with a detached HEAD. */
export const isCommit = (base: string): boolean => /^[0-9a-f]{40,64}$/.test(base);

/** The branch that is checked out, even before its first commit; undefined with a detached HEAD. */
export async function currentBranch(git: Git, repository: string): Promise<string | undefined> {
  // Not `--short`, which shows `heads/x` if there is a tag `x`.
  const ref = await answerOf(git(["symbolic-ref", "--quiet", "HEAD"], { cwd: repository }));
  return ref?.replace(/^refs\/heads\//, "");
}

/** The commit that is checked out; undefined before the first one. */
export const currentCommit = (git: Git, repository: string): Promise<string | undefined> =>
  answerOf(git(["rev-parse", "--quiet", "--verify", "HEAD^{commit}"], { cwd: repository }));

/** Whether there is no commit yet at which a branch could begin. */
export const hasNoCommits = async (git: Git, repository: string): Promise<boolean> =>
  (await currentCommit(git, repository)) === undefined && (await readRefs(git, repository)).size === 0;

/**
 * The default branch according to the repository itself: the HEAD of `origin`, otherwise main or master, otherwise the
 * branch that is checked out.
 */
export async function defaultBranchOf(git: Git, repository: string): Promise<string> {
  const originHead = "refs/remotes/origin/HEAD";
  const head = await answerOf(git(["symbolic-ref", "--quiet", originHead], { cwd: repository }));
  if (head !== undefined) return head.replace("refs/remotes/origin/", "");
  const refs = await readRefs(git, repository);
  const usual = ["main", "master"].find((branch) => refs.has(`refs/heads/${branch}`));
  return usual ?? (await currentBranch(git, repository)) ?? "main";
}

/** @throws {CommandFailure} `invalid_branch` for a name that git does not accept for a branch */
export async function checkBranchName(git: Git, branch: string): Promise<void> {
  // Not `--branch`, which would also accept `@{-1}` for the branch that was checked out before.
  const valid =
    !["HEAD", "@"].includes(branch) &&
    !branch.startsWith("-") &&
    (await exitsWithZero(git(["check-ref-format", `refs/heads/${branch}`])));
  if (!valid)
    throw new CommandFailure(
      "invalid_branch",
      `'${branch}' is not a branch name that git accepts. Use letters, digits, '-', '_', '.' and '/', for instance 'feature/login'.`,
    );
}

/**
 * Checks the name of a branch that is to be made. git accepts more, but resolves some of these names otherwise.
 * @throws {CommandFailure} `invalid_branch` for an invalid name, and for one that looks like a full ref, a commit or a
 * remote's branch
 */
export async function checkNewBranchName(git: Git, repository: string, branch: string): Promise<void> {
  await checkBranchName(git, branch);
  const remotes = (await git(["remote"], { cwd: repository })).split("\n").filter((name) => name !== "");
  const remote = remotes.find((name) => branch === name || branch.startsWith(`${name}/`));
  const reason = /^(refs|heads|tags|remotes)\//.test(branch)
    ? "git would read it as the name of a ref"
    : isCommit(branch)
      ? "git would read it as a commit"
      : remote &&
        `it begins like a branch of the remote '${remote}', so git could no longer distinguish the two`;
  if (reason === undefined) return;
  const shortName = branch
    .replace(/^(refs\/)?((heads|tags)\/|remotes\/[^/]+\/)?/, "")
    .replace(`${remote}/`, "");
  const instead =
    shortName === branch || shortName === ""
      ? "Choose another branchName."
      : `Give '${shortName}', or another branchName.`;
  throw new CommandFailure(
    "invalid_branch",
    `'${branch}' is not a good name for a new branch: ${reason}. ${instead}`,
  );
}

/** Whether a name belongs to a remote's branch, such as `origin/x`. */
export function isOfRemote(refs: Iterable<string>, name: string): boolean {
  for (const ref of refs) if (ref === `refs/remotes/${name}`) return true;
  return false;
}

/** The name of a branch without a leading `origin/`, unless there is a local branch of exactly that name. */
export const withoutOrigin = (refs: Refs, name: string): string =>
  refs.has(`refs/heads/${name}`) ? name : name.replace(/^origin\//, "");

/** Finds a branch that prevents a new one: the same name, `a` for `a/b`, or `a/b` for `a`. */
export function branchInTheWay(refs: Refs, branch: string): string | undefined {
  const wanted = `refs/heads/${branch}`;
  for (const ref of refs.keys())
    if (
      ref === wanted ||
      ref.startsWith(`${wanted}/`) ||
      (ref.startsWith("refs/heads/") && wanted.startsWith(`${ref}/`))
    )
      return ref.slice("refs/heads/".length);
  return undefined;
}

/** Returns a remote's branch of that name as last fetched (`origin/x`). Prefers the branch of origin. */
export function remoteBranch(refs: Refs, branch: string): string | undefined {
  const names = [...refs.keys()]
    .filter((ref) => ref.startsWith("refs/remotes/"))
    .map((ref) => ref.slice("refs/remotes/".length));
  const found = names.filter((name) => name.slice(name.indexOf("/") + 1) === branch && branch !== "HEAD");
  return found.find((name) => name.startsWith("origin/")) ?? found[0];
}

export interface Base {
  /** The reported name: a branch's short name, or a commit with a detached HEAD. */
  name: string;
  commit: string;
}

export interface BaseRequest {
  /** The caller's choice, if any; `main` means the same as none. */
  wanted: string | undefined;
  /** The project's default branch. */
  defaultBranch: string;
  /** Prefers the remote's branch: it is newer in the device agent's own clone, which is never pulled. */
  remoteFirst: boolean;
  /** Why `origin` may have a branch that is not known here, as a sentence. */
  failure?: string | undefined;
}

/**
 * Finds the commit to branch off from. The default is main, then the project's default branch, then whatever is checked
 * out. A branch that only `origin` has counts too, with or without its `origin/`.
 * @throws {CommandFailure} `base_not_found` (with near names), `no_commits`
 */
export async function findBase(
  git: Git,
  repository: string,
  refs: Refs,
  request: BaseRequest,
): Promise<Base> {
  const { wanted, defaultBranch, remoteFirst, failure } = request;
  // `main` is the default, so asking for it means the same as asking for nothing.
  const isDefault = wanted === undefined || wanted === "main";
  for (const name of isDefault ? ["main", defaultBranch] : [wanted]) {
    const base = baseNamed(refs, name, remoteFirst);
    if (base) return base;
  }
  const commit = await currentCommit(git, repository);
  if (commit === undefined && refs.size === 0)
    throw new CommandFailure(
      "no_commits",
      `The repository at ${repository} has no commits yet. Make a first commit in it, then try again.`,
    );
  if (isDefault && commit !== undefined)
    return { name: (await currentBranch(git, repository)) ?? commit, commit };
  const near = nearNames(refs, wanted ?? "main");
  throw new CommandFailure(
    "base_not_found",
    [
      `There is no branch '${wanted ?? "main"}' in ${repository}${failure === undefined ? " or at its origin" : ""}.`,
      ...(near.length > 0 ? [`Similar names: ${near.join(", ")}.`] : []),
      ...(failure === undefined ? [] : [failure]),
      `Give another baseBranch${failure === undefined ? "" : ", or try again when origin is reachable"}.`,
    ].join(" "),
  );
}

/** Whether a base of this name is known without asking its remote. */
export const knowsBase = (refs: Refs, name: string): boolean => baseNamed(refs, name, false) !== undefined;

function baseNamed(refs: Refs, name: string, remoteFirst: boolean): Base | undefined {
  const local: [string, string] = [`refs/heads/${name}`, name];
  const remote: [string, string] = [`refs/remotes/origin/${name}`, `origin/${name}`];
  const candidates = [remote, local];
  // `origin/x` means the remote's, even if there is a local branch of that name.
  const refPaths = [[`refs/remotes/${name}`, name], ...(remoteFirst ? candidates : candidates.reverse())];
  for (const [ref = "", shortName = ""] of refPaths) {
    const commit = refs.get(ref);
    if (commit !== undefined) return { name: shortName, commit };
  }
  return undefined;
}

/** The names of the branches that are most similar to `name`. */
export function nearNames(refs: Refs, name: string): string[] {
  const branches = [...refs.keys()].map((ref) => ref.replace(/^refs\/(heads|remotes\/origin|remotes)\//, ""));
  return [...new Set(branches)]
    .filter((branch) => branch !== "HEAD")
    .map((branch) => ({ branch, distance: editDistance(branch.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 5)
    .map(({ branch }) => branch);
}

/** The Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
