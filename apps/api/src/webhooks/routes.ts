import type { FastifyError, FastifyPluginAsync } from "fastify";
import { errorAnswer } from "../lib/errors";
import { LargeDeliveries, MAX_DELIVERY_BYTES, SMALL_DELIVERY_BYTES } from "../limits/largeDeliveries";
import type { Services } from "../services";
import { findWebhook, receive } from "./receive";
import { recordRefusal } from "./refusedDeliveries";

/**
 * POST /api/webhooks/<id>: receives a provider's delivery to one of our webhooks. Returns 202 as soon as it is stored;
 * 401 `unverified_delivery`, 404 for an unknown webhook, 413 beyond 25 MiB, 415 for a compressed body, 429 while other
 * large deliveries are arriving. The webhook counts the refused deliveries.
 */
export const webhookRoutes: FastifyPluginAsync<Services> = async (server, services) => {
  // A signature covers the raw bytes, so no parser may change them.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  // Handles also errors that arise before the handler runs, such as the one for a body that is too long.
  server.setErrorHandler<FastifyError, { Params: { id: string } }>(async (error, request) => {
    await recordRefusal(services, request.params.id, errorAnswer(error, request.id).status);
    throw error;
  });

  const large = new LargeDeliveries();
  server.addHook<{ Params: { id: string } }>("onRequest", async (request, reply) => {
    const declared = request.headers["content-length"];
    if (declared !== undefined && Number(declared) <= SMALL_DELIVERY_BYTES) return;
    // Requests for unknown webhooks take no slot.
    const { id } = await findWebhook(services, request.params.id);
    if (reply.raw.closed) return;
    // "close" also comes when the caller leaves.
    reply.raw.once("close", large.take(id));
  });

  server.post<{ Params: { id: string }; Body: Buffer | undefined }>(
    "/api/webhooks/:id",
    { bodyLimit: MAX_DELIVERY_BYTES },
    async (request, reply) => {
      const body = request.body ?? Buffer.alloc(0);
      await receive(services, request.params.id, { headers: request.headers, body });
      return reply.status(202).send({ received: true });
    },
  );
};
