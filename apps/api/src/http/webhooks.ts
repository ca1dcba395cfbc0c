import type { FastifyPluginAsync } from "fastify";
import { receive } from "../integrations/receive";
import type { Services } from "../services";

/**
 * POST /api/webhooks/<id>: what a provider delivers to a webhook of ours. Answers 202 as soon as it is kept; 401
 * `unverified_delivery`, 404 for no webhook of ours, 413 beyond 1 MiB.
 */
export const webhookRoutes: FastifyPluginAsync<Services> = async (server, services) => {
  // Signatures are of the bytes as they came.
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
