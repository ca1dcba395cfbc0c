import type { FastifyReply } from "fastify";

/**
 * Adds the request headers that tRPC's responses depend on to `vary`, beside those set already, such as the origin.
 */
export function varyByAccept(reply: FastifyReply): void {
  const others = reply.getHeader("vary");
  const addedHeaders = "trpc-accept, accept";
  reply.header("vary", others === undefined ? addedHeaders : `${others}, ${addedHeaders}`);
}
