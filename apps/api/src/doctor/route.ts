import type { Vault } from "@grove/auth";
import { GroveError } from "@grove/auth";
import type { FastifyPluginAsync } from "fastify";
import type { Services } from "../services";
import { closeAfter, openProbe, PROBE_HEADER, PROBE_PATH, type Seen } from "./probe";

/**
 * GET /api/doctor: a stream for `grove-api doctor`, which proves with CREDENTIALS_KEY that it belongs to this service.
 * The first event states immediately what the server sees of the caller; the second ends the stream after a silence.
 */
export const doctorRoute: FastifyPluginAsync<
  Pick<Services, "config" | "draining"> & { vault: Vault }
> = async (server, { vault, config, draining }) => {
  server.get(PROBE_PATH, async (request, reply) => {
    const probe = openProbe(vault, String(request.headers[PROBE_HEADER] ?? ""));
    if (!probe)
      throw new GroveError(
        "FORBIDDEN",
        "Only grove-api doctor can call this, with the same CREDENTIALS_KEY as this server.",
      );
    const forwarded = String(request.headers["x-forwarded-for"] ?? "");
    const seen: Seen = {
      proxies: forwarded === "" ? 0 : forwarded.split(",").length,
      trusted: Number(config.trustProxy),
    };
    reply.hijack();
    reply.raw.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    reply.raw.write(`data: ${JSON.stringify(seen)}\n\n`);
    closeAfter(reply.raw, probe.silentMs, draining);
  });
};
