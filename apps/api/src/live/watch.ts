import type { UserPrincipal } from "@grove/auth";
import type { OrganizationEvent, TaskChange } from "@grove/schemas";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import { toAgentSession } from "../agentSessions/row";
import { mayReadOutput } from "../agentSessions/visible";
import { Place } from "../events/place";
import { eventsOf } from "../events/watch";
import { follow, type Reading } from "../lib/follow";
import { WakeUp } from "../lib/wakeUp";
import type { Services } from "../services";
import { taskTopic } from "../tasks/events";
import type { Change } from "./state";
import { Unseen } from "./unseen";

/**
 * Streams what changes in an organization. Events of tasks are resumed after `lastEventId`, as in task.watch. The state
 * of everything else is told when it changes after `ready`: a list that is read after `ready` lacks nothing.
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
  const unseen = new Unseen(() => wakeUp.wake());
  const end = await services.live.watch(organizationId, unseen);
  try {
    const topic = taskTopic(organizationId);
    const place = await Place.after<TaskChange>(services, topic, lastEventId);
    const followed = { ...eventsOf(topic), clientGone, wakeUp };
    yield* follow(services, followed, async function* (): Reading<TrackedEnvelope<OrganizationEvent>> {
      const { events, more, isReady } = await place.read();
      for (const { id, event } of events) yield tracked(id, { type: "task", event });
      if (more) return "more";
      const { changes, missed } = unseen.take();
      if (isReady || missed)
        yield tracked(place.id, { type: "ready", missed: missed || place.missed, version: services.release });
      for (const change of changes) yield tracked(place.id, eventOf(change, principal));
      return undefined;
    });
  } finally {
    end();
  }
}

function eventOf(change: Change, principal: UserPrincipal): OrganizationEvent {
  if (change.type !== "session") return change;
  const { session, at } = change;
  return { type: "session", session: toAgentSession(session, mayReadOutput(principal, session)), at };
}
