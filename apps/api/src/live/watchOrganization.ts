import type { UserPrincipal } from "@grove/auth";
import type { OrganizationEvent, TaskChange } from "@grove/schemas";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { toAgentRequest } from "../agentRequests/toAgentRequest";
import { mayReadOutput } from "../agentSessions/outputAccess";
import { toAgentSession } from "../agentSessions/row";
import { EventCursor } from "../events/eventCursor";
import { eventsOf } from "../events/watch";
import { follow, type Reading } from "../lib/follow";
import { WakeUp } from "../lib/wakeUp";
import type { Services } from "../services";
import { taskTopic } from "../tasks/taskEvents";
import { PendingChanges } from "./pendingChanges";
import type { LiveChange } from "./state";

/**
 * Streams an organization's changes. Task events resume after `lastEventId`, as in task.watch. The state of all other
 * items is sent when it changes after `ready`: a client that reads a list after `ready` misses no change.
 * @throws {GroveError} SERVICE_UNAVAILABLE `server_draining` when the process shuts down; tRPC's client then reconnects
 * by itself
 */
export async function* watchOrganization(
  services: Services,
  principal: UserPrincipal,
  { organizationId, lastEventId }: { organizationId: string; lastEventId?: string | undefined },
  clientGone: AbortSignal | undefined,
): AsyncGenerator<TrackedEnvelope<OrganizationEvent>, void> {
  const wakeUp = new WakeUp();
  const pending = new PendingChanges(() => wakeUp.wake());
  const end = await services.live.watch(organizationId, pending);
  try {
    const topic = taskTopic(organizationId);
    const cursor = await EventCursor.after<TaskChange>(services, topic, lastEventId);
    const followed = { ...eventsOf(topic), clientGone, wakeUp };
    yield* follow(services, followed, async function* (): Reading<TrackedEnvelope<OrganizationEvent>> {
      const { events, more, isReady } = await cursor.read();
      for (const { id, event } of events) yield tracked(id, { type: "task", event });
      if (more) return "more";
      const { changes, missed } = pending.take();
      if (isReady || missed)
        yield tracked(cursor.id, {
          type: "ready",
          missed: missed || cursor.missed,
          version: services.release,
        });
      for (const change of changes) yield tracked(cursor.id, eventOf(change, principal));
      return undefined;
    });
  } finally {
    end();
  }
}

function eventOf(change: LiveChange, principal: UserPrincipal): OrganizationEvent {
  if (change.type === "request") {
    const { request, at } = change;
    return { type: "request", request: toAgentRequest(request, principal), at };
  }
  if (change.type !== "session") return change;
  const { session, at } = change;
  return { type: "session", session: toAgentSession(session, mayReadOutput(principal, session)), at };
}
