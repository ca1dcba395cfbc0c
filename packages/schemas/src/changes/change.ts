import * as z from "zod";
import { organizationScope } from "../organizations/organization";
import { id, page, text, timestamp } from "../values";
import { gate, gateSkipped } from "./gate";

/** Unlike `pullRequestState`, it distinguishes drafts. */
export const pullState = z.enum(["open", "draft", "merged", "closed"]);
export type PullState = z.infer<typeof pullState>;

/**
 * The states of a change, the most urgent first. `needs_input`: an agent in its workspace waits for a person.
 * `checks_failed`: checks of its pull request failed, or the gate of finished work. `ready`: for review.
 * `changes_requested`: an agent got review comments and has not finished since. `gate`: the gate runs. `checks`: the
 * checks of its pull request run. `merging`: its pull request is in the code host's merge queue. `approved`: the newest
 * commit of its pull request.
 */
export const workState = z.enum([
  ...(["needs_input", "checks_failed", "conflicts", "ready", "changes_requested", "working"] as const),
  ...(["gate", "checks", "merging", "approved", "merged", "closed", "idle"] as const),
]);
export type WorkState = z.infer<typeof workState>;

/** The states in which a change waits for people. */
export const waitingStates = [
  "needs_input",
  "checks_failed",
  "conflicts",
  "ready",
  "approved",
] as const satisfies WorkState[];

/** A branch of a project that a workspace was made for. It stays when the workspace is deleted. */
export const change = z.object({
  id,
  organizationId: id,
  projectId: id,
  /** The first task that an agent worked on in the workspace, or the one with its branch. */
  taskId: id.nullable(),
  /** Null once the workspace was deleted. */
  workspaceId: id.nullable(),
  deviceId: id.nullable(),
  branch: z.string(),
  baseBranch: z.string().nullable(),
  /** The commit where the branch began; null if it is not known. */
  forkCommit: z.string().nullable(),
  /** The newest pull request of the branch; null if no delivery has reported one. */
  pullRequest: z
    .object({
      number: z.number().int(),
      /** Null if the code host's address is not a valid link. */
      url: z.string().nullable(),
      state: pullState,
      base: z.string(),
      /** When its commits reached one of the project's done branches, perhaps with a later pull request. */
      doneAt: timestamp.nullable(),
    })
    .nullable(),
  workState,
  /** Null if no check runs or has passed or failed. */
  gate: gate.nullable(),
  /** Why the finished work was not checked; null if it was, or if the project does not want that. */
  gateSkipped: gateSkipped.nullable(),
  /** When an agent reported its work as finished; null if it has not, or if work has continued since. */
  finishedAt: timestamp.nullable(),
  /** The agent's summary of its finished work. */
  summary: z.string().nullable(),
  /** The agent's text about the tests that it has run. */
  tests: z.array(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Change = z.infer<typeof change>;

export const changeListInput = z.object({
  ...organizationScope,
  taskId: id.optional(),
  workspaceId: id.optional(),
  projectId: id.optional(),
  /** The state of the newest pull request. */
  state: pullState.optional(),
  /** Only changes that wait for people; see `waitingStates`. */
  waits: z.literal(true).optional(),
  /** Only changes of the caller's devices, and of tasks that are assigned to the caller. */
  mine: z.literal(true).optional(),
  ...page,
});
export type ChangeListInput = z.infer<typeof changeListInput>;
export const changeGetInput = z.object({ ...organizationScope, id });
export type ChangeGetInput = z.infer<typeof changeGetInput>;

/** The most characters of a summary of finished work, and of the name of a test. */
export const MAX_SUMMARY = 4_000;
export const MAX_TEST = 500;
/** The most tests of finished work. */
export const MAX_TESTS = 50;

/** An agent's report of finished work. */
export const finishedWork = z.strictObject({
  summary: text(MAX_SUMMARY).refine((value) => value.trim() !== "", "must not be empty"),
  tests: z.array(text(MAX_TEST)).max(MAX_TESTS).default([]),
});
export type FinishedWork = z.infer<typeof finishedWork>;
export const changeFinishInput = finishedWork.extend({ ...organizationScope, workspaceId: id });
