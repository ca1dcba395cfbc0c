import {
  agentAnswerRequestInput,
  agentGetRequestInput,
  agentListRequestsInput,
  agentReleaseRequestInput,
  agentRequest,
  agentSnoozeRequestInput,
  success,
} from "@grove/schemas";
import type { TRPCRouterRecord } from "@trpc/server";
import * as z from "zod";
import { controlSession } from "../../agentSessions/control";
import { output } from "../../trpc/output";
import { memberProcedure, memberSessionProcedure, waitingMemberProcedure } from "../../trpc/procedures";
import { answerRequest } from "../answer";
import { listRequests } from "../list";
import { readRequest } from "../row";
import { snoozeRequest } from "../snooze";
import { toAgentRequest } from "../toAgentRequest";

/** Requests of coding agents: for permission, for answers to questions, for consent to a plan. Devices report them. */
export const requestProcedures = {
  /**
   * Requests of agents, newest first. Texts are for the person who started the session, the device's owner and
   * org-admins.
   */
  listRequests: memberProcedure(agentListRequestsInput)
    .output(output(z.array(agentRequest)))
    .query(({ ctx, input }) => listRequests(ctx.services, ctx.principal, input)),

  /** One request, with the same texts as in `listRequests`. NOT_FOUND if there is none. */
  getRequest: memberProcedure(agentGetRequestInput)
    .output(output(agentRequest))
    .query(async ({ ctx, input }) =>
      toAgentRequest(await readRequest(ctx.services.database.db, input), ctx.principal),
    ),

  /**
   * Answers a request once: exactly one caller answers, and every other gets CONFLICT `already_answered` with the name
   * of that user. The answer reaches only this request of the agent; `delivery` of the returned request shows whether
   * it has. Only signed-in people grant permission; an API key may answer questions of sessions that it started.
   */
  answerRequest: waitingMemberProcedure(agentAnswerRequestInput)
    .output(output(agentRequest))
    .mutation(({ ctx, input, signal }) => answerRequest(ctx.services, ctx.principal, input, signal)),

  /** Leaves a request to the agent's own prompt in its terminal. For users who may type into the session. */
  releaseRequest: waitingMemberProcedure(agentReleaseRequestInput)
    .output(output(success))
    .mutation(async ({ ctx, input: { organizationId, id }, signal }) => {
      const { session_id } = await readRequest(ctx.services.database.db, { organizationId, id });
      return controlSession(
        ctx.services,
        ctx.principal,
        { organizationId, id: session_id, tool: "release_agent_request", params: { requestId: id } },
        signal,
      );
    }),

  /**
   * Snoozes an open request for the caller. Until the snooze ends, the caller is not notified of it. For users who may
   * read it. FORBIDDEN `role_required`.
   */
  snoozeRequest: memberSessionProcedure(agentSnoozeRequestInput)
    .output(output(agentRequest))
    .mutation(({ ctx, input }) => snoozeRequest(ctx.services, ctx.principal, input)),
} satisfies TRPCRouterRecord;
