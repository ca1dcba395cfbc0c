import { errorData } from "@grove/client";
import { useState } from "react";
import { queries } from "../../lib/api";
import { newId } from "../../lib/newId";

/** The workspace on its device. */
export interface ChangeTarget {
  target: { organizationId: string; deviceId: string };
  workspaceId: string;
}

/** The input and options that all mutations of a workspace's change have in common. */
export function useChange({ target: { organizationId, deviceId }, workspaceId }: ChangeTarget) {
  const [idempotencyKey, setKey] = useState(newId);
  return {
    common: { organizationId, workspaceId, idempotencyKey },
    refetch: [queries.workspace.change.status.pathFilter(), { queryKey: ["deviceTool", deviceId] }],
    onError: (error: { message: string }) => {
      // A retry with the same key waits for a running command. After a refusal, a new key is needed.
      if (errorData(error)?.reason !== "command_pending") setKey(newId());
    },
    renewKey: () => setKey(newId()),
  };
}
