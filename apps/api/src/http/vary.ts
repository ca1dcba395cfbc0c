import type { FastifyReply } from "fastify";

/** Tells caches what tRPC's answers depend on, besides what they depend on already, such as the origin. */
export function varyByAccept(reply: FastifyReply): void {
  const others = reply.getHeader("vary");
  const own = "trpc-accept, accept";
  reply.header("vary", others === undefined ? own : `${others}, ${own}`);
}
