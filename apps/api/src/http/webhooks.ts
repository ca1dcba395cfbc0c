import type { FastifyError, FastifyPluginAsync } from "fastify";
import { receive } from "../integrations/receive";
import { recordRefusal } from "../integrations/refusedDeliveries";
import type { Services } from "../services";
import { errorAnswer } from "../trpc/errors";

/**
 * POST /api/webhooks/<id>: receives a provider's delivery to one of our webhooks. Answers 202 as soon as it is stored;
 * 401 `unverified_delivery`, 404 for an unknown webhook, 413 beyond 1 MiB, 415 for a compressed body. The webhook
 * counts the refused deliveries.
 */
export const webhookRoutes: FastifyPluginAsync<Services> = async (server, services) => {
  // Signatures cover the bytes as they arrived.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  // Also errors that arise before the handler runs, such as that of a body that is too long.
  server.setErrorHandler<FastifyError, { Params: { id: string } }>(async (error, request) => {
    await recordRefusal(services, request.params.id, errorAnswer(error, request.id).status);
    throw error;
  });

  server.post<{ Params: { id: string }; Body: Buffer | undefined }>(
    "/api/webhooks/:id",
    async (request, reply) => {
      const body = request.body ?? Buffer.alloc(0);
      await receive(services, request.params.id, { headers: request.headers, body });
      return reply.status(202).send({ received: true });
    },
  );
};
