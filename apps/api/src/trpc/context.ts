import { type GroveError, type MaybeCached, type Principal, resolvePrincipal } from "@grove/auth";
import type { TRPCProcedureType } from "@trpc/server";
import type { FastifyRequest } from "fastify";
import { presentedSecret } from "../lib/credential";
import type { AnswerBudget } from "../limits/answerBudget";
import { networkOf } from "../limits/rateLimits";
import type { Services } from "../services";

/** The state of a request that the guards collect for the code that answers it. */
interface RequestState {
  /** The name under which the caller's calls are counted; set once the caller is known. */
  caller?: string;
  /** For a stream: rejects when its credential ends. */
  ended?: Promise<never>;
  /** For a batch: the characters left for its responses. */
  budget?: AnswerBudget;
  /**
   * Counts a response of this many characters as held until the caller has read it.
   * @throws {GroveError} SERVICE_UNAVAILABLE `overloaded`, for a query
   */
  hold?(characters: number, type: TRPCProcedureType): void;
  /** Whether the procedures subtract their responses from the budget themselves, since tRPC writes the responses. */
  measured?: boolean;
}

/** A procedure's view of its request. */
export interface Context {
  services: Services;
  requestId: string;
  /** The caller's span (W3C). */
  traceparent: string | undefined;
  readonly state: RequestState;
  /** Remembers that this call was refused, so that the next one is refused sooner. */
  refused(error: GroveError): void;
  /** The address that the request comes from; for IPv6 its /64, which belongs to one customer. */
  network(): string;
  /** The length of the request's body per call of the batch. */
  bodyCharacters(): number;
  /** The caller's principal, looked up on first use, once per request, even for a batch. */
  lookUp(): Promise<Principal | null>;
  /** The caller's principal, cached if possible. Only for procedures whose statement checks the key. */
  cachedPrincipal<Allowed extends Principal>(
    guard: (principal: Principal | null) => Allowed,
  ): Promise<MaybeCached<Allowed>>;
  /** Looks the principal up once more; for streams, which outlive a revocation. */
  lookUpAgain(): Promise<Principal | null>;
}

/** Makes the context of one HTTP request; cheap, since most of it is lazy. */
export function createContext(
  services: Services,
  request: FastifyRequest<{ Params: { path: string } }>,
): Context {
  const secret = presentedSecret(request)?.secret ?? "";
  const lookUpAgain = () => resolvePrincipal(services.auth, secret);
  let principal: Promise<Principal | null> | undefined;
  const lookUp = () => {
    principal ??= services.lookups.principalOf(request);
    return principal;
  };
  return {
    services,
    requestId: request.id,
    traceparent: request.headers.traceparent?.toString(),
    state: {},
    refused: (error) => services.lookups.refused(request, error),
    network: () => networkOf(request.ip),
    bodyCharacters: () => {
      // Not the content-length header: a chunked body has none.
      const characters = typeof request.body === "string" ? request.body.length : 0;
      return characters / request.params.path.split(",").length;
    },
    lookUp,
    cachedPrincipal: (guard) => services.auth.principalCache.find(secret, guard, lookUp),
    lookUpAgain,
  };
}
