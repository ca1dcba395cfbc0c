import { requireSession, resolvePrincipal } from "@grove/auth";
import type { FastifyPluginAsync } from "fastify";
import * as z from "zod";
import { finishAuthorization } from "../integrations/authorize";
import type { Services } from "../services";
import { presentedSecret } from "./credential";
import { networkOf } from "./rateLimits";

const callbackQuery = z.object({
  state: z.string().max(200),
  code: z.string().max(2000).optional(),
  error: z.string().max(1000).optional(),
});

/**
 * GET /api/integrations/callback: the provider's page sends the browser back here, after integration.authorizeUrl. The
 * browser must hold that session's cookie. Answers with the connection.
 */
export const integrationRoutes: FastifyPluginAsync<Services> = async (server, services) => {
  server.addHook("onRequest", async (request) => services.limits.address.take(networkOf(request.ip)));

  server.get("/api/integrations/callback", async (request) => {
    const returned = callbackQuery.parse(request.query);
    const presented = presentedSecret(request);
    const principal = requireSession(presented && (await resolvePrincipal(services.auth, presented.secret)));
    return finishAuthorization(services, principal, returned);
  });
};
