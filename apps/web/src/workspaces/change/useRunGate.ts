import { type GateRun, visibleName } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { runToolLater, toolResultQuery } from "../../lib/commands/deviceTools";
import { newId } from "../../lib/newId";
import type { ChangeTarget } from "./useChange";

/**
 * Runs the check script, for as long as it takes. Also returns the result of the last run, here or elsewhere.
 */
export function useRunGate({ target, workspaceId }: ChangeTarget) {
  const [line, setLine] = useState("");
  const lastResult = useLastResult({ organizationId: target.organizationId, workspaceId });
  const run = useMutationWithRefetch(
    {
      mutationFn: () =>
        runToolLater(
          target,
          "run_gate",
          { workspaceId },
          {
            idempotencyKey: newId(),
            onProgress: ({ progress }) => setLine(visibleName(progress?.message ?? "")),
          },
        ),
      onMutate: () => setLine(""),
    },
    { refetch: [queries.workspace.change.list.pathFilter()] },
  );
  const start = () => {
    if (!run.isPending) run.mutate();
  };
  return { start, line, isPending: run.isPending, result: lastResult ?? run.data, error: run.error };
}

/** Users who may not read the command see only the state of the change. */
function useLastResult(of: { organizationId: string; workspaceId: string }): GateRun | undefined {
  const changes = useQuery(queries.workspace.change.list.queryOptions({ ...of, limit: 1 }));
  const gate = changes.data?.[0]?.gate;
  const result = useQuery({
    ...toolResultQuery(of.organizationId, gate?.commandId ?? "", "run_gate"),
    enabled: gate !== undefined && gate !== null && gate.state !== "running",
  });
  return result.data;
}
