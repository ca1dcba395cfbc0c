import { createLink, requireSession, signInByLink } from "@grove/auth";
import { type Link, linkCreateInput, linkUseInput, type SignInLinkResult } from "@grove/schemas";
import type { FastifyPluginAsync } from "fastify";
import { networkOf } from "../limits/rateLimits";
import { clientOf, type SignInServices } from "./session";

/**
 * One-time links that sign a browser in. The launcher of local mode prints them. Only local mode has these routes.
 * - POST /api/auth/links: the code of a new link, for a session. `endEarlier` signs out the browsers of earlier links.
 * - POST /api/auth/link: a session's token for a code. It sets no cookie, since browsers would send that to programs on
 *   other ports of this machine, too. BAD_REQUEST `token_invalid` for a code that was used or is too old.
 */
export const linkRoutes: FastifyPluginAsync<SignInServices> = async (server, { auth, limits, lookups }) => {
  server.post("/api/auth/links", async (request): Promise<Link> => {
    const { user } = requireSession(await lookups.principalOf(request));
    return createLink(auth, { userId: user.id, email: user.email }, linkCreateInput.parse(request.body));
  });

  server.post("/api/auth/link", async (request): Promise<SignInLinkResult> => {
    limits.address.take(networkOf(request.ip));
    const { code } = linkUseInput.parse(request.body);
    const { secret } = await signInByLink(auth, code, clientOf(request));
    return { token: secret };
  });
};
