import type { MergeIntent } from "@grove/schemas";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { mergeEndText } from "./pullText";
import { refetchPull } from "./refetchPull";

interface MergeWaitProps {
  of: { organizationId: string; changeId: string };
  intent: MergeIntent;
}

/** A merge that waits for the checks, with a button to cancel it, or for the queue, or why it ended without merging. */
export function MergeWait({ of, intent }: MergeWaitProps) {
  const cancel = useMutationWithRefetch(
    queries.workspace.change.cancelMerge.mutationOptions({ onError: refetchPull }),
    { refetch: [queries.workspace.change.pullStatus.pathFilter()] },
  );
  const { status, name, at } = intent;
  const asked = (
    <>
      (asked by <VisibleName>{name}</VisibleName>, <Time at={at} />)
    </>
  );
  const end = mergeEndText(intent);
  return (
    <>
      {status === "waiting" && (
        <div className="flex flex-wrap items-center gap-2">
          <p>Merges when the checks pass {asked}</p>
          <Button busy={cancel.isPending} onClick={() => cancel.mutate(of)}>
            Cancel
          </Button>
        </div>
      )}
      {status === "running" && <p>Merging {asked}</p>}
      {status === "queued" && <p>In the merge queue of the code host {asked}</p>}
      {end !== undefined && (
        <p className="wrap-anywhere">
          Not merged {asked}: {end}
        </p>
      )}
      {cancel.error && <Problem title="Could not cancel the merge." error={cancel.error} />}
    </>
  );
}
