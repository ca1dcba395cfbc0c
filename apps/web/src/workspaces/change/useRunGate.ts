import { visibleName } from "@grove/schemas";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { runToolLater } from "../../lib/commands/deviceTools";
import { newId } from "../../lib/newId";
import type { ChangeTarget } from "./useChange";

/** Runs the repository's own check, for as long as it takes. */
export function useRunGate({ target, workspaceId }: ChangeTarget) {
  const [line, setLine] = useState("");
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
  return { start, line, isPending: run.isPending, result: run.data, error: run.error };
}
