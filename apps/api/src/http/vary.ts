import type { FastifyReply } from "fastify";

/**
 * Tells caches which request headers tRPC's answers depend on, in addition to those named already, such as the origin.
 */
export function varyByAccept(reply: FastifyReply): void {
  const others = reply.getHeader("vary");
  const own = "trpc-accept, accept";
  reply.header("vary", others === undefined ? own : `${others}, ${own}`);
}
