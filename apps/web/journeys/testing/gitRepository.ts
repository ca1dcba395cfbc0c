import { execFileSync } from "node:child_process";
import { type HostedPull, HostedRepository } from "@grove/integrations/testing";

/** Branches in a real repository. */
class GitBranches extends Map<string, string> {
  readonly #git: (...args: string[]) => string;

  constructor(git: (...args: string[]) => string) {
    super();
    this.#git = git;
  }

  override get(name: string): string | undefined {
    return this.#git("for-each-ref", "--format=%(objectname)", `refs/heads/${name}`) || undefined;
  }

  override has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  override set(name: string, commit: string): this {
    this.#git("update-ref", `refs/heads/${name}`, commit);
    return this;
  }
}

/** A code host's repository with its commits, in a bare repository of git. Merges by a squash, as one commit. */
export class GitRepository extends HostedRepository {
  readonly #directory: string;
  override readonly branches: Map<string, string>;
  override methods = ["squash"];

  /** @param directory of the bare repository, to which its users push */
  constructor(owner: string, name: string, directory: string) {
    super(owner, name);
    this.#directory = directory;
    this.branches = new GitBranches((...args) => this.git(...args));
  }

  git(...args: string[]): string {
    const identity = ["-c", "user.name=The code host", "-c", "user.email=host@example.com"];
    return execFileSync("git", [...identity, ...args], { cwd: this.#directory, encoding: "utf8" }).trim();
  }

  override merge(pull: HostedPull, head: string | undefined) {
    const before = this.branches.get(pull.base) ?? "";
    const outcome = super.merge(pull, head);
    if (outcome !== "merged") return outcome;
    const message = `${pull.title} (#${pull.number})`;
    const squashed = this.git("commit-tree", `${pull.mergedCommit}^{tree}`, "-p", before, "-m", message);
    this.branches.set(pull.base, squashed);
    return outcome;
  }
}
