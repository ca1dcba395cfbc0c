import { errorData, type Inputs } from "@grove/client";
import type { AgentRequest } from "@grove/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { client, queries, queryClient } from "../../lib/api";
import { newId } from "../../lib/newId";
import { membersQuery } from "../../lib/queries/membersQuery";
import { openRequestsQuery, requestQuery } from "./requestsQuery";
import { type Outcome, outcomeOfRefusal } from "./requestTexts";

type GivenAnswer = Inputs["agent"]["answerRequest"]["answer"];

/** Answers a request, once. */
export function useRequestAnswer({ id }: AgentRequest, onAnswered: () => void) {
  const { id: organizationId } = useOrganization();
  // Reused for each attempt, so that a retried answer is applied only once.
  const [idempotencyKey] = useState(newId);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (answer: GivenAnswer) =>
      client.agent.answerRequest.mutate({ organizationId, id, answer, idempotencyKey }),
    // The answer may contain a secret, so it is not kept in the cache.
    gcTime: 0,
    onSuccess: (given) => {
      queryClient.setQueryData(requestQuery(organizationId, id).queryKey, given);
      queryClient.setQueryData(openRequestsQuery(organizationId).queryKey, (open) =>
        open?.filter((request) => request.id !== id),
      );
      onAnswered();
    },
    onSettled: () =>
      Promise.all(
        [queries.agent.listRequests, queries.agent.getRequest].map((query) =>
          queryClient.invalidateQueries(query.pathFilter()),
        ),
      ),
  });
  const refusal = errorData(error);
  const isAnswered = refusal?.reason === "already_answered";
  return {
    send: mutate,
    isPending,
    given: data,
    error: isAnswered ? null : error,
    refusal: isAnswered ? outcomeOfRefusal(refusal.details) : undefined,
  };
}

export type RequestAnswer = ReturnType<typeof useRequestAnswer>;

/**
 * Returns how a request was settled; undefined while it is open, and until that is known.
 * @param given the request as this user has answered it
 */
export function useOutcome(
  request: AgentRequest,
  { isOpen, answer }: { isOpen: boolean; answer: RequestAnswer },
): Outcome | undefined {
  const { id: organizationId } = useOrganization();
  const { data: read } = useQuery({ ...requestQuery(organizationId, request.id), enabled: !isOpen });
  const { data: members } = useQuery({ ...membersQuery(organizationId), enabled: !isOpen });
  if (isOpen) return answer.refusal;
  const settled = [read, request].find((one) => one && one.status !== "open") ?? answer.given;
  if (!settled) return answer.refusal;
  return { ...settled, name: members?.find(({ userId }) => userId === settled.answeredBy)?.name };
}
