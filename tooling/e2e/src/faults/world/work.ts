import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { succeed } from "@grove/testing/process";
import type { Machine } from "../../support/machine";

/** The effect of one piece of work on the disk. */
export interface Effect {
  /** The paths of the worktrees for this piece of work. */
  paths: string[];
}

/**
 * A repository in which each command's effect can be identified and counted. Piece of work `n` is a worktree from the
 * branch `base-n`, whose commit no other branch has. A second run of the same command would make a second worktree of
 * that commit.
 */
export class Work {
  #commits = new Map<string, number>();
  readonly #machine: Machine;
  readonly path: string;
  readonly #control: string;

  private constructor(machine: Machine, path: string, control: string) {
    this.#machine = machine;
    this.path = path;
    this.#control = control;
  }

  static async create(machine: Machine, name: string, count: number): Promise<Work> {
    const path = join(machine.root, name);
    const control = join(machine.root, `${name} control`);
    await mkdir(path);
    await mkdir(control, { recursive: true });
    const work = new Work(machine, path, control);
    await work.git("init", "--quiet", "--initial-branch", "main");
    await work.#fill(count);
    // git runs this script for the one file of a tree. It records that the work has begun, and runs until the test
    // releases it.
    const script = join(control, "checkout.sh");
    await writeFile(
      script,
      `n=$(cat)\necho "$n" >> "$1/begun.log"\nwhile [ -e "$1/hold-all" ] || [ -e "$1/hold-$n" ]; do sleep 0.05; done\nprintf %s "$n"\n`,
    );
    await work.git("config", "filter.slow.smudge", `sh '${script}' '${control}'`);
    await work.git("reset", "--quiet", "--hard", "main");
    return work;
  }

  git(...args: string[]): Promise<string> {
    const { env } = this.#machine;
    return succeed(["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: this.path,
      env,
    });
  }

  static base = (n: number): string => `base-${n}`;

  /** Makes the checkout of a piece of work, or of all, wait until it is released. */
  hold = (n?: number): Promise<void> => writeFile(this.#holdOf(n), "");
  release = (n?: number): Promise<void> => rm(this.#holdOf(n), { force: true });
  #holdOf = (n?: number): string => join(this.#control, n === undefined ? "hold-all" : `hold-${n}`);

  /** The pieces of work whose checkout has begun, each as often as it has. */
  async begun(): Promise<number[]> {
    const lines = (await readFile(join(this.#control, "begun.log"), "utf8").catch(() => "")).split("\n");
    return lines.filter((line) => /^\d+$/.test(line)).map(Number);
  }

  /** All existing worktrees, by their piece of work. */
  async effects(): Promise<Map<number, Effect>> {
    const effects = new Map<number, Effect>();
    for (const block of (await this.git("worktree", "list", "--porcelain")).split("\n\n")) {
      const path = /^worktree (.*)$/m.exec(block)?.[1];
      const n = this.#commits.get(/^HEAD (.*)$/m.exec(block)?.[1] ?? "");
      if (path === undefined || n === undefined) continue;
      effects.set(n, { paths: [...(effects.get(n)?.paths ?? []), path] });
    }
    return effects;
  }

  /** The branches that were made for worktrees. */
  async branches(): Promise<string[]> {
    const listed = await this.git("for-each-ref", "--format=%(refname:short)", "refs/heads");
    return listed.split("\n").filter((name) => name.startsWith("grove"));
  }

  async #fill(count: number): Promise<void> {
    const import_ = spawn("git", ["fast-import", "--quiet"], {
      cwd: this.path,
      env: this.#machine.env,
      stdio: ["pipe", "inherit", "inherit"],
    });
    const commit = (branch: string, content: string) =>
      [
        `commit refs/heads/${branch}`,
        "committer Ada <ada@example.com> 1700000000 +0000",
        data(`Begin ${content}`),
        "M 100644 inline .gitattributes",
        data("work.txt filter=slow\n"),
        "M 100644 inline work.txt",
        data(content),
        "",
      ].join("\n");
    import_.stdin.write(commit("main", "main"));
    for (let n = 0; n < count; n++) import_.stdin.write(commit(Work.base(n), `${n}`));
    import_.stdin.end();
    const [code] = await once(import_, "exit");
    if (code !== 0) throw new Error(`git fast-import ended with ${code}.`);
    const listed = await this.git(
      "for-each-ref",
      "--format=%(objectname) %(refname:short)",
      "refs/heads/base-*",
    );
    for (const line of listed.trim().split("\n")) {
      const [commitId = "", branch = ""] = line.split(" ");
      this.#commits.set(commitId, Number(branch.slice("base-".length)));
    }
  }
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`;
