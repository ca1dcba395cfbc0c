import { GroveError } from "@grove/auth";
import { describeUnavailable } from "@grove/db";
import type { FastifyPluginAsync } from "fastify";
import { errorAnswer } from "../lib/errors";
import type { Services } from "../services";

/**
 * Health and readiness, for service supervisors.
 * - GET /health: 200 as long as the process lives.
 * - GET /ready: 200 when it can take requests; SERVICE_UNAVAILABLE while it shuts down (`server_draining`), its
 *   database does not answer or is read-only, or there is no room on the embedded database's disk (`disk_full`).
 */
export const healthRoutes: FastifyPluginAsync<Pick<Services, "database" | "disk" | "stopping">> = async (
  server,
  { database, disk, stopping },
) => {
  let reported: string | undefined;
  // A supervisor sends a request about every second: a state that lasts is logged once.
  server.setErrorHandler((error, request, reply) => {
    const { body, status } = errorAnswer(error, request.id);
    const { message } = body.error;
    if (message !== reported) request.log.error({ reqId: request.id, err: error }, "not ready");
    reported = message;
    return reply.status(status).send(body);
  });

  server.get("/health", async () => ({ status: "ok" }));

  server.get("/ready", async () => {
    if (stopping.aborted)
      throw new GroveError(
        "SERVICE_UNAVAILABLE",
        "The server is shutting down. Try another one, or try again later.",
        {
          reason: "server_draining",
        },
      );
    await database.ping().catch((cause) => {
      throw new GroveError("SERVICE_UNAVAILABLE", describeUnavailable(cause), { cause });
    });
    disk.requireSpace();
    reported = undefined;
    return { status: "ready" };
  });
};
