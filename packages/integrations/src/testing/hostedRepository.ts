export interface HostedPull {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  state: "open" | "closed" | "merged";
  head: string;
  base: string;
  isFork: boolean;
  /** GitHub's place in a stack of pull requests. */
  stack?: { position: number; size: number };
  /** The commit that was merged. */
  mergedCommit: string | null;
  updatedAt: string;
}

export interface HostedCheck {
  name: string;
  /** The code host's word: of a run's status or conclusion, a status' state or a job's status. */
  word: string;
  required: boolean;
  /** GitHub also has commit statuses, of other systems. */
  kind?: "run" | "status";
  /** Omitted once the code host has deleted it. */
  log?: string;
  /** GitHub also has runs of other apps than its own, whose log it does not have. */
  report?: { summary: string | null; annotations: string[] };
}

const ids = new WeakMap<HostedCheck, number>();
let checks = 0;

/** The code host's id of a check. */
export function idOfCheck(check: HostedCheck): number {
  const id = ids.get(check) ?? ++checks;
  ids.set(check, id);
  return id;
}

let repositories = 7_000_000;

/** A repository of a code host, without its files: a branch is its newest commit. */
export class HostedRepository {
  readonly id = ++repositories;
  readonly branches = new Map<string, string>();
  readonly pulls: HostedPull[] = [];
  /** The checks of each commit. */
  readonly checks = new Map<string, HostedCheck[]>();
  /** Requires a merge queue. */
  hasQueue = false;
  /** The queue, with the commit that each pull request had when it was added. */
  readonly queue = new Map<HostedPull, string>();
  /** Replaces the code host's word for whether a pull request can be merged. */
  word: string | undefined;
  /** GitHub's word for the reviews. */
  reviewDecision: string | null = null;
  methods = ["merge", "squash", "rebase"];
  readonly owner: string;
  readonly name: string;
  #clock = Date.now();

  constructor(owner: string, name: string) {
    this.owner = owner;
    this.name = name;
    this.branches.set("main", "0".repeat(40));
  }

  /** A later second of the code host's clock. */
  tick(): string {
    this.#clock += 1_000;
    return new Date(this.#clock).toISOString().replace(/\.\d+/, "");
  }

  headOf({ head }: Pick<HostedPull, "head">): string {
    return this.branches.get(head) ?? "";
  }

  checksOf(pull: HostedPull): HostedCheck[] {
    return this.checks.get(this.headOf(pull)) ?? [];
  }

  findCheck(id: number): HostedCheck | undefined {
    return [...this.checks.values()].flat().find((check) => idOfCheck(check) === id);
  }

  open(fields: Pick<HostedPull, "title" | "body" | "draft" | "head" | "base">) {
    const { head, base } = fields;
    const isOpen = (one: HostedPull) => one.state === "open" && one.head === head && one.base === base;
    if (!this.branches.has(head)) return "unknown_branch" as const;
    if (this.pulls.some(isOpen)) return "exists" as const;
    if (this.branches.get(head) === this.branches.get(base)) return "no_difference" as const;
    const pull: HostedPull = {
      ...fields,
      number: this.pulls.length + 1,
      state: "open",
      isFork: false,
      mergedCommit: null,
      updatedAt: this.tick(),
    };
    this.pulls.push(pull);
    return pull;
  }

  /** Whether a required check has not passed. */
  isBlocked(pull: HostedPull): boolean {
    return this.checksOf(pull).some(({ required, word }) => required && word !== "success");
  }

  merge(pull: HostedPull, head: string | undefined): "merged" | "head_moved" | "refused" {
    const refusal = this.#refusalOf(pull, head);
    if (refusal || this.hasQueue) return refusal ?? "refused";
    return this.#merge(pull);
  }

  enqueue(pull: HostedPull, head: string | undefined): "queued" | "head_moved" | "refused" {
    const refusal = this.#refusalOf(pull, head);
    if (refusal || !this.hasQueue || this.queue.has(pull)) return refusal ?? "refused";
    this.queue.set(pull, this.headOf(pull));
    return "queued";
  }

  /** Merges what is in the queue, or removes it from the queue if its branch has changed. */
  mergeQueued(): void {
    for (const [pull, head] of this.queue) {
      this.queue.delete(pull);
      if (head === this.headOf(pull)) this.#merge(pull);
    }
  }

  #refusalOf(pull: HostedPull, head: string | undefined): "head_moved" | "refused" | undefined {
    if (pull.state !== "open" || pull.draft || this.isBlocked(pull)) return "refused";
    return head !== undefined && head !== this.headOf(pull) ? "head_moved" : undefined;
  }

  #merge(pull: HostedPull): "merged" {
    this.branches.set(pull.base, this.headOf(pull));
    Object.assign(pull, { state: "merged", mergedCommit: this.headOf(pull), updatedAt: this.tick() });
    return "merged";
  }
}
