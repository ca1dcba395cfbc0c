import {
  type IntegrationNews,
  integrationEvent,
  integrationListEventsInput,
  integrationNews,
  integrationOnEventInput,
  integrationReplayEventInput,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { watchEvents } from "../../events/watch";
import { output, outputEvents } from "../../trpc/output";
import { memberProcedure } from "../../trpc/procedures";
import { integrationsOf, listIntegrationEvents } from "../integrationEvents";
import { replayEvent } from "../replay";

export const eventProcedures = {
  /** The webhook deliveries of the last 30 days, newest first. */
  listEvents: memberProcedure(integrationListEventsInput)
    .output(output(z.array(integrationEvent)))
    .query(({ ctx, input }) => listIntegrationEvents(ctx.services, input)),

  /**
   * Streams deliveries as they arrive, and again when each is processed or given up, resumable: the events after
   * `lastEventId`, then `ready`, then each event as it happens.
   */
  onEvent: memberProcedure(integrationOnEventInput)
    .output(outputEvents(integrationNews))
    .subscription(({ ctx, input, signal }) =>
      watchEvents<IntegrationNews>(
        ctx.services,
        integrationsOf(input.organizationId),
        input.lastEventId,
        signal,
      ),
    ),

  /**
   * Tries a delivery that was given up (`dead`) again. NOT_FOUND for an unknown one; PRECONDITION_FAILED
   * `event_not_dead`.
   */
  replayEvent: memberProcedure(integrationReplayEventInput, "admin")
    .output(output(integrationEvent))
    .mutation(({ ctx, input }) => replayEvent(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
