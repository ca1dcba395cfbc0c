import type { DeviceToolParams } from "@grove/schemas";
import { useRef } from "react";
import { queries } from "../lib/api";
import { newId } from "../lib/newId";
import { useMutationWithRefetch } from "./useMutationWithRefetch";
import { useOrganization } from "./useOrganization";

interface StartRequest {
  deviceId: string;
  params: DeviceToolParams<"start_agent_session">;
}

/**
 * Starts a session on a device. The same request has the same idempotency key until it succeeds or fails. So trying
 * again starts no second session if a response was lost, or if the device has not responded yet.
 */
export function useStartSession(onStarted: (sessionId: string) => unknown) {
  const { id: organizationId } = useOrganization();
  const attempt = useRef<{ request: string; idempotencyKey: string }>(undefined);
  return useMutationWithRefetch(
    {
      mutationFn: async ({ deviceId, params }: StartRequest) => {
        const { CommandFailed, runTool } = await import("../lib/commands/deviceTools");
        const request = JSON.stringify([deviceId, params]);
        if (attempt.current?.request !== request) attempt.current = { request, idempotencyKey: newId() };
        const { idempotencyKey } = attempt.current;
        try {
          const started = await runTool({ organizationId, deviceId }, "start_agent_session", params, {
            idempotencyKey,
          });
          attempt.current = undefined;
          return started;
        } catch (error) {
          // With the previous idempotency key, the API would return the failed command again.
          if (error instanceof CommandFailed && error.reason !== "command_pending")
            attempt.current = undefined;
          throw error;
        }
      },
    },
    {
      refetch: [queries.agent.listSessions.pathFilter()],
      onDone: ({ sessionId }) => onStarted(sessionId),
    },
  );
}
