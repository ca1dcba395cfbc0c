import * as z from "zod";
import { id, timestamp } from "../values";
import { heldReason } from "./heldReason";

export const runGateParams = z.strictObject({
  workspaceId: id,
  reuseResult: z
    .boolean()
    .optional()
    .describe(
      "Returns the last run's result instead, if neither the files nor the base's scripts have changed",
    ),
});
export type RunGateParams = z.infer<typeof runGateParams>;

export const gateState = z.enum(["running", "passed", "failed"]);
export type GateState = z.infer<typeof gateState>;

/** The last run of the gate, the repository's check script (`.grove/check` of the base), on a change. */
export const gate = z.object({
  /** The command that runs it, whose result has the output. */
  commandId: id,
  state: gateState,
  /** The commit that was checked; null while it runs, and for uncommitted work. */
  head: z.string().nullable(),
  /** When it began, or ended. */
  at: timestamp,
  /** Why a person must act on a failed gate that was started because an agent finished; null while an agent may. */
  heldReason: heldReason.nullable(),
});

/**
 * Why the gate did not run by itself when an agent finished. `not_allowed`: the device's owner does not allow scripts
 * of repositories. `no_gate`: the base has none. `not_run`: the command failed, was canceled or expired.
 */
export const gateSkipped = z.enum([
  "device_offline",
  "unsupported_tool",
  "not_allowed",
  "no_gate",
  "not_run",
]);
export type GateSkipped = z.infer<typeof gateSkipped>;

/** A run of the gate on the work of a workspace. */
export const gateRun = z.strictObject({
  /**
   * `failed` also if `.grove/setup` failed before it. `none`: the base has no check script. `not_allowed`: the device's
   * owner does not allow scripts of repositories.
   */
  outcome: z.enum(["passed", "failed", "none", "not_allowed"]),
  /** Null if no script ended by itself. */
  exitCode: z.number().int().nullable(),
  timedOut: z.boolean(),
  /**
   * The end of the output, at most 6 KiB, with hidden characters marked. With `not_allowed`, a sentence that names the
   * setting.
   */
  output: z.string(),
  /** The commit that was checked: HEAD, or a restore point of uncommitted work. Null if the script did not run. */
  commit: z.string().nullable(),
  /** The files of that commit. */
  tree: z.string().nullable(),
  /** The branch's commit, if it had exactly these files. */
  head: z.string().nullable(),
});
export type GateRun = z.infer<typeof gateRun>;
