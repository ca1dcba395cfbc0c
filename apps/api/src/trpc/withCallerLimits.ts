import { type Credential, GroveError } from "@grove/auth";
import { runAsCaller } from "@grove/db";
import type { TRPCProcedureType } from "@trpc/server";
import type { Context } from "./context";
import type { Meta } from "./init";

/**
 * Runs a call within the bounds on what its caller may have in progress, and refuses changes on a full disk. Call it
 * once the caller is known.
 * @throws {GroveError} TOO_MANY_REQUESTS `too_many_in_progress`, SERVICE_UNAVAILABLE `disk_full`
 */
export async function withCallerLimits<Result>(
  ctx: Context,
  credential: Credential | null,
  { type, meta }: { type: TRPCProcedureType; meta: Meta | undefined },
  run: () => Promise<Result>,
): Promise<Result> {
  // All sessions and keys of a user share one bound.
  const caller = credential?.holder ?? `network:${ctx.network()}`;
  ctx.state.caller = caller;
  const { callers, disk, loadShedder } = ctx.services;
  if (type === "mutation" && !meta?.keepsAlive) disk.requireSpace();
  // A stream counts while it is open.
  if (type === "subscription") return runAsCaller(caller, run);
  const runIfBudget = () => {
    ctx.state.budget?.requireRemaining();
    return run();
  };
  const begin = () =>
    meta?.needsNoTurn
      ? callers.runWaiting(caller, runIfBudget)
      : callers.runInTurn(caller, ctx.bodyCharacters(), () => loadShedder.workOn(runIfBudget, caller));
  return runAsCaller(caller, begin).catch((error: unknown) => {
    if (error instanceof GroveError && error.reason === "too_many_in_progress") ctx.refused(error);
    throw error;
  });
}
