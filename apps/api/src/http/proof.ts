import { createHmac } from "node:crypto";
import { proofChallenge, proofMessage } from "@grove/schemas";
import type { FastifyPluginAsync } from "fastify";
import * as z from "zod";

const query = z.strictObject({ challenge: proofChallenge });

/**
 * GET /api/proof?challenge=…: `{ proof }`. A program of this machine that can read the key in `DATA_DIR` requests it
 * before it sends a secret: another user's program on this port cannot answer. The proof covers the socket's own
 * address, so that such a program cannot get it from a Grove that listens elsewhere.
 * @throws {ZodError} BAD_REQUEST for anything but 32 bytes in hexadecimal digits
 */
export const proofRoute: FastifyPluginAsync<{ key: string }> = async (server, { key }) => {
  server.get("/api/proof", async (request, reply) => {
    const { challenge } = query.parse(request.query);
    const { localAddress = "", localPort = 0 } = request.socket;
    const signedMessage = proofMessage({ address: localAddress, port: localPort, challenge });
    reply.header("cache-control", "no-store");
    return { proof: createHmac("sha256", key).update(signedMessage).digest("hex") };
  });
};
