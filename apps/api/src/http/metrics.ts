import { createHash, timingSafeEqual } from "node:crypto";
import { GroveError } from "@grove/auth";
import type { FastifyPluginAsync } from "fastify";
import type { Metrics } from "../metrics/metrics";

/**
 * GET /metrics: this process's measurements in Prometheus' text format, with METRICS_TOKEN as the Bearer token;
 * otherwise UNAUTHORIZED. The route does not exist while no token is set.
 */
export const metricsRoutes: FastifyPluginAsync<{ metrics: Metrics; token: string }> = async (
  server,
  { metrics, token },
) => {
  const expected = digest(`Bearer ${token}`);
  server.get("/metrics", async (request, reply) => {
    if (!timingSafeEqual(digest(request.headers.authorization ?? ""), expected))
      throw new GroveError("UNAUTHORIZED", "Present METRICS_TOKEN as a Bearer token.");
    return reply.header("content-type", metrics.contentType).send(await metrics.text());
  });
};

/** Hashed so that both sides have the same length, whatever was presented. */
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
