import type { Credential } from "@grove/auth";
import type { TRPCProcedureType } from "@trpc/server";
import type { Context } from "./context";
import type { Meta } from "./init";

/**
 * Runs a call within the bounds on what its caller may have in progress. Call it once the caller is known.
 * @throws {GroveError} TOO_MANY_REQUESTS `too_many_in_progress`
 */
export async function inBounds<Result>(
  ctx: Context,
  credential: Credential | null,
  { type, meta }: { type: TRPCProcedureType; meta: Meta | undefined },
  run: () => Promise<Result>,
): Promise<Result> {
  // All sessions and keys of a user share one bound.
  const caller = credential?.holder ?? `network:${ctx.network()}`;
  ctx.asked.caller = caller;
  const { callers } = ctx.services;
  // Streams are counted for as long as they are open.
  if (type === "subscription") return run();
  const runIfRoom = () => {
    ctx.asked.budget?.requireLeft();
    return run();
  };
  return meta?.waits
    ? callers.waiting(caller, runIfRoom)
    : callers.inTurn(caller, ctx.bodyCharacters(), runIfRoom);
}

/** Runs the part of a waiting call that does not wait. Like any other call it needs a turn. */
export const inTurn = <Result>(
  ctx: Pick<Context, "services" | "asked">,
  run: () => Promise<Result>,
): Promise<Result> => ctx.services.callers.inTurn(ctx.asked.caller ?? "", 0, run);
