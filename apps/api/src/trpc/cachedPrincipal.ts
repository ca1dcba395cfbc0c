import {
  credentialOf,
  type MaybeCached,
  type Principal,
  requireDevice,
  requireMembership,
  requireScope,
  requireUser,
} from "@grove/auth";
import type { TRPCError } from "@trpc/server";
import type * as z from "zod";
import type { Context } from "./context";
import { whileValid } from "./credentialWatch";
import { base } from "./init";
import { withCallerLimits } from "./withCallerLimits";

/*
 * Guards of procedures whose one statement checks the caller's key. They skip the lookup if the key was looked up
 * recently; `ctx.principal` is then `Cached`. Without this, two of a command's four statements would be lookups
 * (`pnpm bench command`).
 */

/** Runs a call within its caller's bounds, with the cached principal if the guard accepts it. */
async function withCached<
  Allowed extends Principal,
  Result extends { ok: true } | { ok: false; error: TRPCError },
>(
  ctx: Context,
  call: Parameters<typeof withCallerLimits>[2],
  guard: (principal: Principal | null) => Allowed,
  proceed: (principal: MaybeCached<Allowed>) => Promise<Result>,
): Promise<Result> {
  const principal = await ctx.cachedPrincipal(guard);
  const result = await withCallerLimits(ctx, credentialOf(principal), call, () => proceed(principal));
  // The input was refused before any statement checked the key. Only the holder of a valid key learns why.
  if (!result.ok && result.error.code === "BAD_REQUEST" && principal.kind === "cached")
    await principal.lookUp();
  return result;
}

/**
 * Like `waitingMemberProcedure`, for a procedure whose one statement checks the API key.
 * @param scopeOf the scope that a key needs for the call
 */
export const verifyingMemberProcedure = <Output extends { organizationId: string }, Input>(
  input: z.ZodType<Output, Input>,
  scopeOf: (input: Output) => "read" | "write",
) =>
  base
    .meta({ guard: "member", needsNoTurn: true })
    .use(({ ctx, type, meta, next }) =>
      withCached(ctx, { type, meta }, requireUser, (principal) => next({ ctx: { principal } })),
    )
    .input(input)
    .use(async ({ ctx, input, next }) => {
      const guard = (user: ReturnType<typeof requireUser>) => {
        requireMembership(user, input.organizationId, "member");
        requireScope(user, scopeOf(input));
        return user;
      };
      const { principal } = ctx;
      const guarded = principal.kind === "cached" ? await principal.guarded(guard) : guard(principal);
      const isVerified = guarded.kind !== "session";
      return whileValid(ctx, credentialOf(guarded), isVerified, () => next({ ctx: { principal: guarded } }));
    });

/** Like `deviceProcedure`, for a procedure whose one statement checks the device's key. */
export const verifyingDeviceProcedure = <Input extends z.ZodType>(input: Input) =>
  base
    .meta({ guard: "device", needsNoTurn: true })
    .use(({ ctx, type, meta, next }) =>
      withCached(ctx, { type, meta }, requireDevice, (principal) => next({ ctx: { principal } })),
    )
    .input(input);
