import type { Project } from "@grove/schemas";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { queries } from "../lib/api";
import { Checkbox } from "../ui/checkbox";
import { Problem } from "../ui/problem";

/** Switches on or off whether the check script runs when an agent finishes. */
export function GateOnFinishSetting({ project }: { project: Project }) {
  const { id, organizationId } = project;
  const update = useMutationWithRefetch(queries.project.update.mutationOptions(), {
    refetch: [queries.project.pathFilter()],
  });
  const chosen = update.isPending ? update.variables.gateOnFinish : undefined;
  return (
    <div className="flex flex-col gap-2">
      <Checkbox
        label="Run the check script when an agent finishes"
        checked={chosen ?? project.gateOnFinish}
        onChange={(gateOnFinish) => update.mutate({ organizationId, id, gateOnFinish })}
      >
        The agent's machine runs <code className="font-mono">.grove/check</code> of the base once for the same
        files, if it is online and its owner allows scripts of repositories.
      </Checkbox>
      {update.error && <Problem title="Could not change the setting." error={update.error} />}
    </div>
  );
}
