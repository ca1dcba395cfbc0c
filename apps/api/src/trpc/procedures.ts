import {
  type Principal,
  requireAdmin,
  requireDevice,
  requireMemberOrDevice,
  requireMembership,
  requireScope,
  requireSession,
  requireUser,
} from "@grove/auth";
import type { Role } from "@grove/schemas";
import type { TRPCProcedureType } from "@trpc/server";
import type * as z from "zod";
import { isRefusal } from "./cachedPrincipal";
import { inBounds } from "./callerBounds";
import type { Context } from "./context";
import { CredentialWatch, untilEnded } from "./credentialWatch";
import { toTrpcError } from "./errors";
import { base } from "./init";

/** The kind of credential that a procedure's one statement checks by itself. */
type VerifiesInSql = "api_key" | "device";

/**
 * Tries the cached principal first, where the procedure allows it. A refusal is retried with a fresh lookup, so a stale
 * cache entry never refuses anyone.
 */
async function withPrincipal<Result extends { ok: true } | { ok: false; error: unknown }>(
  ctx: Context,
  verifiesInSql: VerifiesInSql | undefined,
  goOn: (principal: Principal | null) => Promise<Result>,
): Promise<Result> {
  const cached = verifiesInSql ? ctx.cachedPrincipal() : null;
  if (cached && cached.kind === verifiesInSql) {
    const result = await goOn(cached);
    if (result.ok || !isRefusal(toTrpcError(result.error).code)) return result;
  }
  return goOn(await ctx.principal());
}

/** Requires a user. A stream ends when the credential that opened it does. */
const userWith = (verifiesInSql?: VerifiesInSql) =>
  base.use(({ ctx, type, meta, next }) =>
    withPrincipal(ctx, verifiesInSql, async (found) => {
      const principal = requireUser(found);
      const goOn = () => inBounds(ctx, principal, { type, meta }, () => next({ ctx: { principal } }));
      if (type !== "subscription") return goOn();
      const watch = new CredentialWatch(ctx, principal);
      ctx.asked.ended = watch.ended;
      // Checked once more, now that an announcement would be received.
      watch.check();
      const result = await goOn();
      if (result.ok) return { ...result, data: untilEnded(result.data as AsyncIterable<unknown>, watch) };
      watch.close();
      return result;
    }),
  );
const asUser = userWith();

const scopeFor = (type: TRPCProcedureType) => (type === "mutation" ? "write" : "read");

/*
 * The guards. Each takes the procedure's input schema, because the order of checks is fixed: credential, input,
 * membership, role or scope.
 */

/** No requirement. */
export const publicProcedure = <Input extends z.ZodType>(input: Input) =>
  base
    .meta({ guard: "public" })
    .use(({ ctx, type, meta, next }) => inBounds(ctx, null, { type, meta }, () => next()))
    .input(input);

/**
 * A session, or an API key that acts for its owner.
 * @param organizationsOf the organizations that an input names: the caller must be a member of each
 */
export const protectedProcedure = <Input extends z.ZodType>(
  input: Input,
  organizationsOf: (input: z.output<Input>) => (string | undefined)[] = () => [],
) =>
  asUser
    .meta({ guard: "protected" })
    .input(input)
    .use(({ ctx, input, type, next }) => {
      for (const organizationId of organizationsOf(input as z.output<Input>))
        if (organizationId !== undefined) requireMembership(ctx.principal, organizationId, "member");
      requireScope(ctx.principal, scopeFor(type));
      return next();
    });

/** A session; an API key is refused, whatever its scopes. */
export const sessionProcedure = <Input extends z.ZodType>(input: Input) =>
  asUser
    .meta({ guard: "session" })
    .input(input)
    .use(({ ctx, next }) => next({ ctx: { principal: requireSession(ctx.principal) } }));

/** A session of a user whose verified e-mail address ends with the company's domain. */
export const adminProcedure = <Input extends z.ZodType>(input: Input) =>
  asUser
    .meta({ guard: "admin" })
    .input(input)
    .use(({ ctx, next }) => {
      requireAdmin(ctx.principal, ctx.services.config.adminEmailDomain);
      return next();
    });

type InOrganization = z.ZodType<{ organizationId: string }>;

/** The scope that a key needs for a call, if the procedure's type alone does not decide it. */
type ScopeOf<Input> = (input: Input) => "read" | "write";

/** Membership of `input.organizationId`, with at least this role. */
export const memberProcedure = <Input extends InOrganization>(
  input: Input,
  role: Role = "member",
  user = asUser,
  scopeOf?: ScopeOf<z.output<Input>>,
) =>
  user
    .meta({ guard: role })
    .input(input)
    .use(({ ctx, input, type, next }) => {
      const { organizationId } = input as { organizationId: string };
      const callersRole = requireMembership(ctx.principal, organizationId, role);
      requireScope(ctx.principal, scopeOf?.(input as z.output<Input>) ?? scopeFor(type));
      return next({ ctx: { role: callersRole } });
    });

/**
 * As {@link memberProcedure}, for a call that waits: it is answered UNAUTHORIZED once its credential has ended.
 * @param verifiesInSql `api_key`, if the procedure's one statement checks the key itself
 */
export const waitingMemberProcedure = <Input extends InOrganization>(
  input: Input,
  verifiesInSql?: "api_key",
  scopeOf?: ScopeOf<z.output<Input>>,
) =>
  memberProcedure(input, "member", userWith(verifiesInSql), scopeOf)
    .meta({ guard: "member", waits: true })
    .use(async ({ ctx, next }) => {
      const { principal } = ctx;
      const watch = new CredentialWatch(ctx, principal);
      // Checked once more, now that an announcement would be received, unless the procedure's statement verifies it.
      if (principal.kind !== verifiesInSql) watch.check();
      try {
        return await Promise.race([next(), watch.ended]);
      } finally {
        watch.close();
      }
    });

/** As {@link memberProcedure}, but for sessions only: an API key is refused. */
export const memberSessionProcedure = <Input extends InOrganization>(input: Input, role: Role = "member") =>
  memberProcedure(input, role)
    .meta({ guard: `${role} (session)` })
    .use(({ ctx, next }) => next({ ctx: { principal: requireSession(ctx.principal) } }));

/** An admin of `input.organizationId`; if the input names none, a site admin. */
export const analystProcedure = <Input extends z.ZodType<{ organizationId?: string }>>(input: Input) =>
  asUser
    .meta({ guard: "admin of the organization, or site admin" })
    .input(input)
    .use(({ ctx, input, type, next }) => {
      const { organizationId } = input as { organizationId?: string };
      if (organizationId === undefined) requireAdmin(ctx.principal, ctx.services.config.adminEmailDomain);
      else requireMembership(ctx.principal, organizationId, "admin");
      requireScope(ctx.principal, scopeFor(type));
      return next();
    });

/** As {@link memberProcedure}, or a device of that organization. */
export const memberOrDeviceProcedure = <Input extends InOrganization>(input: Input, role: Role = "member") =>
  base
    .meta({ guard: `${role} +device` })
    .use(async ({ ctx, type, meta, next }) => {
      const found = await ctx.principal();
      const principal: Principal = found?.kind === "device" ? found : requireUser(found);
      return inBounds(ctx, principal, { type, meta }, () => next({ ctx: { principal } }));
    })
    .input(input)
    .use(({ ctx, input, type, next }) => {
      const principal: Principal = ctx.principal;
      requireMemberOrDevice(principal, (input as { organizationId: string }).organizationId, role);
      if (principal.kind !== "device") requireScope(principal, scopeFor(type));
      return next();
    });

/**
 * A device key.
 * @param verifiesInSql `device`, if the procedure's one statement checks the key itself
 */
export const deviceProcedure = <Input extends z.ZodType>(input: Input, verifiesInSql?: "device") =>
  base
    .meta({ guard: "device" })
    .use(({ ctx, type, meta, next }) =>
      withPrincipal(ctx, verifiesInSql, async (found) => {
        const principal = requireDevice(found);
        return inBounds(ctx, principal, { type, meta }, () => next({ ctx: { principal } }));
      }),
    )
    .input(input);
