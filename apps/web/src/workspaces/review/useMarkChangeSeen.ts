import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { client, queries } from "../../lib/api";
import { runTool } from "../../lib/commands/deviceTools";
import { errorMessage } from "../../ui/problem";
import { showToast } from "../../ui/showToast";
import type { DiffInput } from "../view/diffQuery";

interface MarkSeenInput extends Pick<DiffInput, "target" | "workspaceId"> {
  changeId: string | null | undefined;
  /** Refetches the diff, and returns whether it equals the shown one. */
  isCurrent: () => Promise<boolean>;
}

/** Marks the version of the files on the screen as seen by the user. */
export function useMarkChangeSeen({ target, workspaceId, changeId, isCurrent }: MarkSeenInput) {
  const { organizationId } = target;
  /**
   * Saves the version on the screen as a restore point.
   * @throws {Error} if the files have changed since, or the device makes no restore points
   */
  const saveSeen = async (): Promise<string> => {
    const { point } = await runTool(target, "make_point", { workspaceId });
    if (point === null)
      throw new Error("The machine could not save this version of the files. Restore points may be off.");
    // Read after the point was made, so that the point holds nothing else.
    if (await isCurrent()) return point;
    throw new Error(
      "The files have changed since they were shown. Show the latest changes, then mark them as seen.",
    );
  };
  const record = async (point: string) => {
    if (changeId) await client.workspace.review.mark.mutate({ organizationId, changeId, point });
  };
  const marking = useMutationWithRefetch(
    {
      mutationFn: async () => record(await saveSeen()),
      onError: (error: Error) =>
        showToast({ title: "Could not mark the changes as seen.", description: errorMessage(error) }),
    },
    {
      refetch: [queries.workspace.review.list.pathFilter()],
      onDone: () =>
        showToast({
          title: "Marked as seen.",
          description: "“Since I last looked” shows what changes from now on.",
        }),
    },
  );
  return {
    /** Undefined if there is no change to mark. */
    markSeen: changeId ? () => !marking.isPending && marking.mutate() : undefined,
    saveSeen,
    record,
  };
}
