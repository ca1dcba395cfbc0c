import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { Problem } from "../../ui/problem";
import { VanishingButton } from "../../ui/vanishingButton";

/** Marks a draft pull request as ready for review. */
export function MarkReadyButton({ of }: { of: { organizationId: string; changeId: string } }) {
  const markReady = useMutationWithRefetch(queries.workspace.change.markReady.mutationOptions(), {
    refetch: [queries.workspace.change.pullStatus.pathFilter(), queries.workspace.change.list.pathFilter()],
  });
  const run = () => {
    if (!markReady.isPending) markReady.mutate(of);
  };
  useShortcuts({
    title: "Pull request",
    scope: "page",
    shortcuts: [],
    actions: [{ title: "Mark the pull request as ready", run }],
  });
  return (
    <>
      <VanishingButton busy={markReady.isPending} onClick={run}>
        Mark as ready
      </VanishingButton>
      {markReady.error && (
        <Problem title="Could not mark the pull request as ready." error={markReady.error} />
      )}
    </>
  );
}
