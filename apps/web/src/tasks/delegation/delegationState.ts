import type { WorkspaceRequest } from "@grove/schemas";
import { skipToken, useQuery } from "@tanstack/react-query";
import { queryClient } from "../../lib/api";
import { newId } from "../../lib/newId";

/** The user's input: which task, where the agent works, and its prompt. */
export interface DelegationRequest {
  taskId: string;
  organizationId: string;
  projectId: string;
  device: { id: string; name: string };
  /** An existing workspace to use instead of a new one. */
  workspaceId?: string | undefined;
  request: WorkspaceRequest;
  /** "" for the device's default agent. */
  agent: string;
  prompt: string;
}

/** The progress of handing a task over. */
export interface Delegation {
  order: DelegationRequest;
  /** Idempotency keys by step, so that a retry after a lost response runs nothing twice. */
  keys: { workspace: string; agent: string };
  step: "workspace" | "agent" | "done";
  /** The latest progress message. */
  progress: string;
  /** Set once the workspace exists. */
  workspaceId?: string | undefined;
  sessionId?: string;
  error?: { reason: string | undefined; message: string } | undefined;
}

export const newDelegation = (order: DelegationRequest): Delegation => ({
  order,
  keys: { workspace: newId(), agent: newId() },
  step: order.workspaceId === undefined ? "workspace" : "agent",
  progress: "",
  workspaceId: order.workspaceId,
});

const keyOf = (taskId: string) => ["delegation", taskId];

/** The delegation of a task, if this tab started one. */
export const useDelegation = (taskId: string) =>
  useQuery<Delegation>({ queryKey: keyOf(taskId), queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY })
    .data;

export const setDelegation = (state: Delegation): void => {
  queryClient.setQueryData<Delegation>(keyOf(state.order.taskId), state);
};

export const forgetDelegation = (taskId: string): void =>
  queryClient.removeQueries({ queryKey: keyOf(taskId) });
