import type { FastifyPluginAsync } from "fastify";
import { receive } from "../integrations/receive";
import type { Services } from "../services";

/**
 * POST /api/webhooks/<id>: receives a provider's delivery to one of our webhooks. Answers 202 as soon as it is stored;
 * 401 `unverified_delivery`, 404 for an unknown webhook, 413 beyond 1 MiB.
 */
export const webhookRoutes: FastifyPluginAsync<Services> = async (server, services) => {
  // Signatures cover the bytes as they arrived.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  server.post<{ Params: { id: string }; Body: Buffer | undefined }>(
    "/api/webhooks/:id",
    async (request, reply) => {
      const body = request.body ?? Buffer.alloc(0);
      await receive(services, request.params.id, { headers: request.headers, body });
      return reply.status(202).send({ received: true });
    },
  );
};
