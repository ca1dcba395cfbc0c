import type { WorkspaceRequest } from "@grove/schemas";
import { skipToken, useQuery } from "@tanstack/react-query";
import { queryClient } from "../lib/api";
import { newId } from "../lib/newId";

/** A task for an agent: where it works, and what it is told. */
export interface Order {
  taskId: string;
  organizationId: string;
  projectId: string;
  device: { id: string; name: string };
  /** A workspace that is there already, instead of a new one. */
  workspaceId?: string | undefined;
  request: WorkspaceRequest;
  /** "" is the device's default. */
  agent: string;
  prompt: string;
}

/** How far a task has been handed over. */
export interface HandOver {
  order: Order;
  /** The idempotency keys of the steps: after a lost answer, a step that is sent again runs nothing twice. */
  keys: { workspace: string; agent: string };
  step: "workspace" | "agent" | "done";
  /** The newest line of progress. */
  words: string;
  /** The workspace, as soon as it is there. */
  workspaceId?: string | undefined;
  sessionId?: string;
  error?: { reason: string | undefined; message: string } | undefined;
}

export const begin = (order: Order): HandOver => ({
  order,
  keys: { workspace: newId(), agent: newId() },
  step: order.workspaceId === undefined ? "workspace" : "agent",
  words: "",
  workspaceId: order.workspaceId,
});

const keyOf = (taskId: string) => ["handOver", taskId];

/** Where a task stands that this tab has handed over. */
export const useHandOver = (taskId: string) =>
  useQuery<HandOver>({ queryKey: keyOf(taskId), queryFn: skipToken, gcTime: Number.POSITIVE_INFINITY }).data;

export const setHandOver = (state: HandOver): void => {
  queryClient.setQueryData<HandOver>(keyOf(state.order.taskId), state);
};

export const forgetHandOver = (taskId: string): void =>
  queryClient.removeQueries({ queryKey: keyOf(taskId) });
