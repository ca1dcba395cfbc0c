import { errorData } from "@grove/client";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { showToast } from "../../ui/showToast";
import { type ChangeTarget, useChange } from "./useChange";

/** Pushes the branch to the project's remote. */
export function usePush(props: ChangeTarget) {
  const { common, refetch, onError, renewKey } = useChange(props);
  const push = useMutationWithRefetch(queries.workspace.change.push.mutationOptions({ onError }), {
    refetch,
    onDone: ({ branch, remote }) => {
      renewKey();
      showToast({ title: `Pushed ${branch} to ${remote}.` });
    },
  });
  return {
    start: (head: string) => {
      if (!push.isPending) push.mutate({ ...common, expectHead: head, force: "none" });
    },
    isPending: push.isPending,
    error: push.error,
    /** Whether the remote's branch has commits that this one does not, as after a rebase. */
    isDiverged: errorData(push.error)?.reason === "non_fast_forward",
  };
}
