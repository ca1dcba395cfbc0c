import { CommandFailure } from "../../errors";
import { answerOf, GitError } from "../run";
import type { OpenWorktree } from "../worktree/openWorktree";

interface CommitContent {
  tree: string;
  parents: readonly string[];
  message: string;
}

/**
 * Stores a commit with the identity and the signature of the machine's git configuration. No ref is changed.
 * @returns its id
 * @throws {CommandFailure} `identity_missing`; `signing_failed`: a commit is never stored unsigned instead
 */
export async function writeUserCommit(
  { git }: Pick<OpenWorktree, "git">,
  { tree, parents, message }: CommitContent,
  signal: AbortSignal,
): Promise<string> {
  const isSigned =
    (await answerOf(git(["config", "--type=bool", "--get", "commit.gpgSign"], { signal }))) === "true";
  // Otherwise git would make an address of the machine's name.
  const args = ["-c", "user.useConfigOnly=true", "commit-tree", ...(isSigned ? ["-S"] : []), tree];
  try {
    const made = git([...args, ...parents.flatMap((parent) => ["-p", parent])], { input: message, signal });
    return (await made).trim();
  } catch (error) {
    signal.throwIfAborted();
    throw commitFailure(error, isSigned);
  }
}

/** Returns why git could not store a commit of the owner: without an identity, or without the signature. */
export function commitFailure(error: unknown, isSigned: boolean): unknown {
  if (!(error instanceof GitError)) return error;
  if (/tell me who you are|no (email|name) was given|empty ident|user\.useConfigOnly/i.test(error.stderr))
    return new CommandFailure(
      "identity_missing",
      "git on the device does not know who commits. Set user.name and user.email there with `git config --global`, then try again.",
    );
  if (!isSigned) return error;
  return new CommandFailure(
    "signing_failed",
    `commit.gpgSign is set, and the commit could not be signed: ${error.stderr.trim() || error.message} Nothing was committed. Check the signing key and its agent on the device, then try again.`,
  );
}

/** The text of a message as git stores it: without superfluous space, ending in a line break. */
export const cleanMessage = ({ git }: Pick<OpenWorktree, "git">, message: string): Promise<string> =>
  git(["stripspace"], { input: message });
