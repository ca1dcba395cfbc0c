import { GroveError, requireSession } from "@grove/auth";
import type { FastifyPluginAsync } from "fastify";
import * as z from "zod";
import { consoleUrl, wantsConsole } from "../lib/consoleAddress";
import { networkOf } from "../limits/rateLimits";
import type { Services } from "../services";
import { type Begun, finishAuthorization, takeAuthorization } from "./authorize";

const callbackQuery = z.object({
  state: z.string().max(200),
  code: z.string().max(2000).optional(),
  error: z.string().max(1000).optional(),
});

/**
 * GET /api/integrations/callback: the provider's page sends the browser back here, after integration.authorizeUrl. The
 * browser must hold that session's cookie. A person's browser is redirected to the console: to the organization's
 * integrations with `#connected=<provider>` or `#refused=<reason>`; to the account if the organization is unknown; to
 * sign-in without a session. Without a console, or for a program, the response is the connection.
 */
export const integrationRoutes: FastifyPluginAsync<Services> = async (server, services) => {
  server.addHook("onRequest", async (request) => services.limits.address.take(networkOf(request.ip)));

  server.get("/api/integrations/callback", async (request, reply) => {
    const returned = callbackQuery.parse(request.query);
    let authorization: Begun | undefined;
    try {
      const principal = requireSession(await services.lookups.principalOf(request));
      authorization = await takeAuthorization(services, principal, returned.state);
      const connection = await finishAuthorization(services, principal, authorization, returned);
      if (!wantsConsole(request, services.config)) return connection;
      return reply.redirect(
        consoleUrl(await settingsPath(services, authorization), { connected: connection.provider }),
        303,
      );
    } catch (cause) {
      const { code, reason } = cause instanceof GroveError ? cause : {};
      const hasNoSession = code === "UNAUTHORIZED";
      if ((reason === undefined && !hasNoSession) || !wantsConsole(request, services.config)) throw cause;
      request.log.warn({ reqId: request.id, err: cause }, "an account was not connected");
      if (reason === undefined)
        return reply.redirect(consoleUrl("/sign-in", { error: "session_required" }), 303);
      const page = authorization ? await settingsPath(services, authorization) : "/account";
      return reply.redirect(consoleUrl(page, { refused: reason }), 303);
    }
  });
};

/** The console's settings page of the organization that an account is connected to. */
async function settingsPath(
  { database }: Pick<Services, "database">,
  { organization_id }: Begun,
): Promise<string> {
  const { slug } = await database.db
    .selectFrom("organizations")
    .select("slug")
    .where("id", "=", organization_id)
    .executeTakeFirstOrThrow();
  return `/o/${slug}/settings?tab=integrations`;
}
