/** A pull request at the moment of a delivery. */
export interface ForgePull {
  number: number;
  action: "opened" | "closed" | "merged" | "reopened" | "edited" | "pushed" | "queued";
  /** Derived from the action when omitted. */
  state?: "open" | "draft" | "closed" | "merged";
  head: string;
  base?: string;
  title?: string;
  body?: string;
  isFork?: boolean;
  /** Seconds after the beginning of the test. */
  at: number;
}

/** A comment on a pull request. */
export interface ForgeComment {
  number: number;
  title: string;
  author: string;
  body: string;
}

export interface Name {
  owner: string;
  name: string;
}

/** The facts that deliveries state about a repository. */
export interface RepositoryFacts {
  id: number;
  name: Name;
  /** Its address at the code host. */
  page: string;
  defaultBranch: string;
  /** The time of the beginning of the test. */
  start: number;
}

export interface Delivery {
  event: string;
  payload: object;
}

/** The deliveries of a code host's webhook. */
export interface Deliveries {
  pullPath: (number: number) => string;
  /** Signs a delivery as the code host does. */
  headers: (delivery: { event: string; id: string; body: string; secret: string }) => Record<string, string>;
  pull: (repository: RepositoryFacts, pull: ForgePull) => Delivery;
  /** One for each kind of comment. */
  comment: (repository: RepositoryFacts, comment: ForgeComment) => Delivery[];
  check: (repository: RepositoryFacts, head: string) => Delivery;
  /** Undefined if the code host does not report that a repository was renamed or transferred. */
  move: (repository: RepositoryFacts, from: Name) => Delivery | undefined;
}

export const fullName = ({ owner, name }: Name): string => `${owner}/${name}`;

/** The time of a delivery, `seconds` after the beginning of the test. */
export const timeAt = ({ start }: RepositoryFacts, seconds: number): string =>
  new Date(start + seconds * 1_000).toISOString().replace(/\.\d+/, "");

export function stateOf({ action, state }: ForgePull) {
  if (state) return state;
  return action === "merged" || action === "closed" ? action : "open";
}
