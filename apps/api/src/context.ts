import { type Principal, recallPrincipal, resolvePrincipal } from "@grove/auth";
import type { FastifyRequest } from "fastify";
import { presentedSecret } from "./http/credential";
import type { Services } from "./services";

/** What a procedure sees of its request. */
export interface Context {
  services: Services;
  requestId: string;
  /** Who calls: looked up on first use, once a request, also in a batch. */
  principal(): Promise<Principal | null>;
  /** Whom the credential stood for lately, for what proves by itself that it still does; see `withPrincipal`. */
  recall(): Principal | null;
  /** The same anew, for what lasts: the credential may have been revoked since. */
  lookUpAgain(): Promise<Principal | null>;
}

/** Makes the context of one HTTP request; cheap, since most of it is lazy. */
export function createContext(services: Services, request: FastifyRequest): Context {
  let principal: Promise<Principal | null> | undefined;
  return {
    services,
    requestId: request.id,
    principal: () => {
      principal ??= lookUp(services, request);
      return principal;
    },
    recall: () => {
      const presented = presentedSecret(request);
      return presented ? recallPrincipal(services.auth, presented.secret) : null;
    },
    lookUpAgain: () => lookUp(services, request),
  };
}

async function lookUp(services: Services, request: FastifyRequest) {
  const presented = presentedSecret(request);
  return presented ? resolvePrincipal(services.auth, presented.secret) : null;
}
