import type { Project } from "@grove/schemas";
import { useMutationWithRefetch } from "../hooks/useMutationWithRefetch";
import { queries } from "../lib/api";
import { Checkbox } from "../ui/checkbox";
import { Problem } from "../ui/problem";

/** Switches restore points of a project on or off, and describes where they are. */
export function RestorePointsSetting({ project }: { project: Project }) {
  const { id, organizationId } = project;
  const update = useMutationWithRefetch(queries.project.update.mutationOptions(), {
    refetch: [queries.project.pathFilter()],
  });
  const chosen = update.isPending ? update.variables.restorePoints : undefined;
  return (
    <div className="flex flex-col gap-2">
      <Checkbox
        label="Keep restore points"
        checked={chosen ?? project.restorePoints}
        onChange={(restorePoints) => update.mutate({ organizationId, id, restorePoints })}
      >
        Machines save each turn of an agent as commits under <code className="font-mono">refs/grove/</code> of
        the repository, so that you can undo it.
      </Checkbox>
      {update.error && <Problem title="Could not change the setting." error={update.error} />}
    </div>
  );
}
