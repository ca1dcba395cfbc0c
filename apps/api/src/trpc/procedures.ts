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
import { initTRPC, type TRPCProcedureType } from "@trpc/server";
import type { z } from "zod";
import { currentRequestId } from "../http/requestId";
import { isRefusal } from "./cachedPrincipal";
import type { Context } from "./context";
import { CredentialWatch, untilEnded } from "./credentialWatch";
import { describeError, toTrpcError } from "./errors";

/** What the authorization matrix and the reference read of a procedure. */
export interface Meta {
  guard:
    | "public"
    | "protected"
    | "session"
    | "admin"
    | "device"
    | Role
    | `${Role} +device`
    | `${Role} (session)`
    | "admin of the organization, or site admin";
  /** It mostly waits for a device, or is one short statement that is gathered: it is counted, and needs no turn. */
  waits?: boolean;
}

const STREAM_MAX_MS = 15 * 60_000;

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter: ({ shape, error, ctx, path }) => ({
      ...shape,
      // A request that is wrong as a whole has no context.
      ...describeError(error, ctx?.requestId ?? currentRequestId.getStore() ?? "none", path),
    }),
    sse: {
      maxDurationMs: STREAM_MAX_MS,
      // Rarer than a device's beats, so that a device is sent these alone.
      ping: { enabled: true, intervalMs: 20_000 },
      // Must exceed the ping.
      client: { reconnectAfterInactivityMs: 45_000 },
    },
  });

export const { router } = t;

/** Everything thrown below becomes a typed error here, once. */
const typed = t.procedure.use(async ({ ctx, path, type, next }) => {
  const { metrics } = ctx.services;
  const began = performance.now();
  const result = await next();
  if (result.ok && ctx.asked.measured && type !== "subscription") {
    const characters = JSON.stringify(result.data)?.length ?? 0;
    ctx.asked.budget?.take(characters, type);
    ctx.asked.hold?.(characters);
  }
  const answered = (code: string) => metrics?.answered(path, code, (performance.now() - began) / 1_000);
  if (!result.ok) {
    const error = toTrpcError(result.error);
    answered(error.code);
    return { ...result, error };
  }
  answered("OK");
  if (type !== "subscription") return result;
  const { caller = "" } = ctx.asked;
  const bounded = counted(result.data as AsyncIterable<unknown>, () =>
    ctx.services.callers.openStream(caller),
  );
  const stream = withTypedErrors(bounded);
  return { ...result, data: metrics ? counted(stream, () => metrics.opened(path)) : stream };
});

/** Mutations that write so little that a full disk is no reason to refuse them: without beats every device is offline. */
const KEEPS_ALIVE: ReadonlySet<string> = new Set(["agent.heartbeat"]);

const base = typed.use(({ ctx, path, type, next }) => {
  if (type === "mutation" && !KEEPS_ALIVE.has(path)) ctx.services.disk.requireRoom();
  return next();
});

/** Runs a call, once its caller is known, within what that caller may have in progress. */
async function inBounds<Result>(
  ctx: Context,
  principal: Principal | null,
  { type, meta }: { type: TRPCProcedureType; meta: Meta | undefined },
  run: () => Promise<Result>,
): Promise<Result> {
  const caller = callerOf(principal, ctx);
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

/** For the part of a waiting call that is none: it needs a turn as any other call. */
export const inTurn = <Result>(
  ctx: Pick<Context, "services" | "asked">,
  run: () => Promise<Result>,
): Promise<Result> => ctx.services.callers.inTurn(ctx.asked.caller ?? "", 0, run);

/** A user has one share, however many sessions and keys. */
const callerOf = (principal: Principal | null, ctx: Context): string => {
  if (!principal) return `network:${ctx.network()}`;
  return principal.kind === "device" ? `device:${principal.deviceId}` : `user:${principal.user.id}`;
};

/** A stream that is among those that are open for as long as it is read. */
async function* counted<Event>(
  stream: AsyncIterable<Event>,
  open: () => () => void,
): AsyncGenerator<Event, void> {
  const close = open();
  try {
    yield* stream;
  } finally {
    close();
  }
}

/** A stream throws when its procedure has long returned. */
async function* withTypedErrors<Event>(stream: AsyncIterable<Event>): AsyncGenerator<Event, void> {
  try {
    yield* stream;
  } catch (error) {
    throw toTrpcError(error);
  }
}

/** For a procedure whose one statement proves the credential: of which kind that is. */
type Recalls = "api_key" | "device";

/**
 * Begins with whom a key stood for lately, where the procedure says so. What is refused then is done again with a look-up,
 * so that no refusal rests on what was recalled.
 */
async function withPrincipal<Result extends { ok: true } | { ok: false; error: unknown }>(
  ctx: Context,
  recalls: Recalls | undefined,
  goOn: (principal: Principal | null) => Promise<Result>,
): Promise<Result> {
  const recalled = recalls ? ctx.recall() : null;
  if (recalled && recalled.kind === recalls) {
    const result = await goOn(recalled);
    if (result.ok || !isRefusal(toTrpcError(result.error).code)) return result;
  }
  return goOn(await ctx.principal());
}

/** Who calls. A stream ends when the credential it was asked with does. */
const userWith = (recalls?: Recalls) =>
  base.use(({ ctx, type, meta, next }) =>
    withPrincipal(ctx, recalls, async (found) => {
      const principal = requireUser(found);
      const goOn = () => inBounds(ctx, principal, { type, meta }, () => next({ ctx: { principal } }));
      if (type !== "subscription") return goOn();
      const watch = new CredentialWatch(ctx, principal);
      ctx.asked.ended = watch.ended;
      // Once more, now that an announcement would be heard.
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

/** A session; an API key will not do, whatever its scopes. */
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

/** The scope that a key must have for a call, where not the procedure's type alone decides. */
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
 * @param recalls `api_key`, when the procedure's one statement proves that
 */
export const waitingMemberProcedure = <Input extends InOrganization>(
  input: Input,
  recalls?: "api_key",
  scopeOf?: ScopeOf<z.output<Input>>,
) =>
  memberProcedure(input, "member", userWith(recalls), scopeOf)
    .meta({ guard: "member", waits: true })
    .use(async ({ ctx, next }) => {
      const { principal } = ctx;
      const watch = new CredentialWatch(ctx, principal);
      // Once more, now that an announcement would be heard; unless the procedure's statement proves it.
      if (principal.kind !== recalls) watch.check();
      try {
        return await Promise.race([next(), watch.ended]);
      } finally {
        watch.close();
      }
    });

/** As {@link memberProcedure}, but a session only: an API key will not do. */
export const memberSessionProcedure = <Input extends InOrganization>(input: Input, role: Role = "member") =>
  memberProcedure(input, role)
    .meta({ guard: `${role} (session)` })
    .use(({ ctx, next }) => next({ ctx: { principal: requireSession(ctx.principal) } }));

/** An admin of `input.organizationId`; where the input names none, an admin of the site. */
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
 * @param recalls `device`, when the procedure's one statement proves the key
 */
export const deviceProcedure = <Input extends z.ZodType>(input: Input, recalls?: "device") =>
  base
    .meta({ guard: "device" })
    .use(({ ctx, type, meta, next }) =>
      withPrincipal(ctx, recalls, async (found) => {
        const principal = requireDevice(found);
        return inBounds(ctx, principal, { type, meta }, () => next({ ctx: { principal } }));
      }),
    )
    .input(input);
