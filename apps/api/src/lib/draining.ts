import { GroveError } from "@grove/auth";

/**
 * Ends a stream of a process that is shutting down.
 * @throws {GroveError} SERVICE_UNAVAILABLE `server_draining`; tRPC's client reconnects by itself
 */
export function endWhenDraining(
  { draining }: { draining: AbortSignal },
  details?: Record<string, unknown>,
): void {
  if (draining.aborted)
    throw new GroveError("SERVICE_UNAVAILABLE", "This server is shutting down. Connect again to continue.", {
      reason: "server_draining",
      ...(details && { details }),
    });
}
