import { GroveError } from "@grove/auth";
import type { Services } from "../services";

/**
 * Ends a stream of a process that shuts down.
 * @throws SERVICE_UNAVAILABLE `server_draining`, on which tRPC's client comes back by itself
 */
export function endWhenDraining({ draining }: Services, details?: Record<string, unknown>): void {
  if (draining.aborted)
    throw new GroveError("SERVICE_UNAVAILABLE", "This server is shutting down. Connect again to go on.", {
      reason: "server_draining",
      ...(details && { details }),
    });
}
