import {
  credentialOf,
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
import type { Context } from "./context";
import { CredentialWatch, untilEnded, whileValid } from "./credentialWatch";
import { base, type Meta } from "./init";
import { withCallerLimits } from "./withCallerLimits";

/** Requires a user. A stream ends when the credential that opened it does. */
const asUser = base.use(async ({ ctx, type, meta, next }) => {
  const principal = requireUser(await ctx.lookUp());
  const credential = credentialOf(principal);
  const proceed = () => withCallerLimits(ctx, credential, { type, meta }, () => next({ ctx: { principal } }));
  if (type !== "subscription") return proceed();
  const watch = new CredentialWatch(ctx, credential);
  ctx.state.ended = watch.ended;
  // Checked once more, now that an announcement would be received.
  watch.check();
  const result = await proceed();
  // The data of a subscription is its stream.
  if (result.ok) return { ...result, data: untilEnded(result.data as AsyncIterable<unknown>, watch) };
  watch.close();
  return result;
});

const scopeFor = (type: TRPCProcedureType) => (type === "mutation" ? "write" : "read");

/*
 * The guards. Each takes the procedure's input schema, because the order of checks is fixed: credential, input,
 * membership, role or scope.
 */

/** No requirement. */
export const publicProcedure = <Input extends z.ZodType>(input: Input) =>
  base
    .meta({ guard: "public" })
    .use(({ ctx, type, meta, next }) => withCallerLimits(ctx, null, { type, meta }, () => next()))
    .input(input);

/**
 * A session, or an API key that acts for its owner.
 * @param organizationsOf the organizations that an input names: the caller must be a member of each
 */
export const protectedProcedure = <Output, Input>(
  input: z.ZodType<Output, Input>,
  organizationsOf: (input: Output) => (string | undefined)[] = () => [],
) =>
  asUser
    .meta({ guard: "protected" })
    .input(input)
    .use(({ ctx, input, type, next }) => {
      for (const organizationId of organizationsOf(input))
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

/** Makes watchers of an organization see its change soon. Waiting calls, such as keystrokes, change no list. */
function hint(
  { services }: Context,
  { type, meta }: { type: TRPCProcedureType; meta: Meta | undefined },
  organizationId: string,
): void {
  if (type === "mutation" && !meta?.needsNoTurn) services.live.hint(organizationId);
}

/** Membership of `input.organizationId`, with at least this role. */
export const memberProcedure = <Input extends InOrganization>(input: Input, role: Role = "member") =>
  asUser
    .meta({ guard: role })
    .input(input)
    .use(async ({ ctx, input, type, meta, next }) => {
      requireMembership(ctx.principal, input.organizationId, role);
      requireScope(ctx.principal, scopeFor(type));
      const result = await next();
      hint(ctx, { type, meta }, input.organizationId);
      return result;
    });

/** Like {@link memberProcedure}, for a call that waits: it is answered UNAUTHORIZED once its credential has ended. */
export const waitingMemberProcedure = <Input extends InOrganization>(input: Input) =>
  memberProcedure(input)
    .meta({ guard: "member", needsNoTurn: true })
    .use(({ ctx, next }) => whileValid(ctx, credentialOf(ctx.principal), false, next));

/** Like {@link waitingMemberProcedure}, but for sessions only: an API key is refused. */
export const waitingMemberSessionProcedure = <Input extends InOrganization>(input: Input) =>
  waitingMemberProcedure(input)
    .meta({ guard: "member (session)", needsNoTurn: true })
    .use(({ ctx, next }) => next({ ctx: { principal: requireSession(ctx.principal) } }));

/** Like {@link memberProcedure}, but for sessions only: an API key is refused. */
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
      const { organizationId } = input;
      if (organizationId === undefined) requireAdmin(ctx.principal, ctx.services.config.adminEmailDomain);
      else requireMembership(ctx.principal, organizationId, "admin");
      requireScope(ctx.principal, scopeFor(type));
      return next();
    });

/** Like {@link memberProcedure}, or a device of that organization. */
export const memberOrDeviceProcedure = <Input extends InOrganization>(input: Input, role: Role = "member") =>
  base
    .meta({ guard: `${role} +device` })
    .use(async ({ ctx, type, meta, next }) => {
      const found = await ctx.lookUp();
      const principal: Principal = found?.kind === "device" ? found : requireUser(found);
      return withCallerLimits(ctx, credentialOf(principal), { type, meta }, () =>
        next({ ctx: { principal } }),
      );
    })
    .input(input)
    .use(async ({ ctx, input, type, meta, next }) => {
      const principal: Principal = ctx.principal;
      requireMemberOrDevice(principal, input.organizationId, role);
      if (principal.kind !== "device") requireScope(principal, scopeFor(type));
      const result = await next();
      hint(ctx, { type, meta }, input.organizationId);
      return result;
    });

/** A device key. */
export const deviceProcedure = <Input extends z.ZodType>(input: Input) =>
  base
    .meta({ guard: "device" })
    .use(async ({ ctx, type, meta, next }) => {
      const principal = requireDevice(await ctx.lookUp());
      return withCallerLimits(ctx, credentialOf(principal), { type, meta }, () =>
        next({ ctx: { principal } }),
      );
    })
    .input(input);
