import { GroveError, type UserPrincipal } from "@grove/auth";
import type { SessionOutputsEvent } from "@grove/schemas";
import { mergeStreams } from "../lib/mergeStreams";
import type { Services } from "../services";
import { requireOutputOf } from "./outputAccess";
import { sessionOutput } from "./sessionOutput";

interface Outputs {
  organizationId: string;
  sessions: readonly { id: string; after: number }[];
}

/**
 * Streams the output of several sessions, each as in `sessionOutput`. A session that does not exist, or whose output
 * the caller may not read, is `refused`; the others continue. Ends when all sessions have ended.
 * @throws {GroveError} SERVICE_UNAVAILABLE `server_draining` when the process shuts down
 */
export const sessionOutputs = (
  services: Services,
  principal: UserPrincipal,
  { organizationId, sessions }: Outputs,
  clientGone: AbortSignal | undefined,
): AsyncGenerator<SessionOutputsEvent, void> =>
  mergeStreams(
    sessions.map(({ id, after }) => outputOf(services, principal, { organizationId, id }, after, clientGone)),
  );

async function* outputOf(
  services: Services,
  principal: UserPrincipal,
  key: { organizationId: string; id: string },
  after: number,
  clientGone: AbortSignal | undefined,
): AsyncGenerator<SessionOutputsEvent, void> {
  const { id } = key;
  try {
    await requireOutputOf(services, principal, key);
    for await (const [, event] of sessionOutput(services, key, after, clientGone)) yield { ...event, id };
  } catch (error) {
    if (!(error instanceof GroveError && (error.code === "NOT_FOUND" || error.code === "FORBIDDEN")))
      throw error;
    yield { type: "refused", id };
  }
}
