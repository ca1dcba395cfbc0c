import { errorData } from "@grove/client";
import { useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { queries } from "../../lib/api";
import { newId } from "../../lib/newId";
import { Confirmation } from "../../ui/formDialog";
import { errorMessage } from "../../ui/problem";
import { showToast } from "../../ui/showToast";
import { Time } from "../../ui/time";
import type { PointRow } from "./pointRows";
import type { RestorePointsProps } from "./restorePointsButton";

export type UndoMode = "files" | "branch";

interface UndoConfirmationProps extends RestorePointsProps {
  row: PointRow;
  mode: UndoMode;
  /** The commit that is checked out. */
  head: string | null;
  onRefused: () => void;
  onBack: () => void;
  onDone: () => void;
}

/** Describes what an undo does, then restores the point before the turn. */
export function UndoConfirmation({ row, mode, head, target, workspaceId, ...on }: UndoConfirmationProps) {
  const { organizationId, deviceId } = target;
  const [idempotencyKey, setKey] = useState(newId);
  const undo = useMutationWithRefetch(
    queries.workspace.undo.mutationOptions({
      onError: () => {
        // With the same key, the refused command would be returned again.
        setKey(newId());
        on.onRefused();
      },
    }),
    {
      refetch: [queries.workspace.listPoints.pathFilter(), { queryKey: ["deviceTool", deviceId] }],
      onDone: () => {
        showToast({
          title: "The files were restored.",
          description: "The replaced files are a restore point.",
        });
        on.onDone();
      },
    },
  );
  const { point, at } = row.start;
  return (
    <Confirmation
      title={mode === "branch" ? "Restore the branch?" : row.end ? "Undo this turn?" : "Undo these changes?"}
      action={mode === "branch" ? "Restore the branch" : "Undo"}
      change={{ isPending: undo.isPending, error: undo.error && { message: refusalText(undo.error) } }}
      failed="Could not restore."
      onSubmit={() =>
        undo.mutate({
          organizationId,
          workspaceId,
          point,
          mode,
          idempotencyKey,
          expectHead: head ?? "",
        })
      }
      onClose={on.onBack}
    >
      <p>
        This restores the files as they were at <Time at={at} />, and discards later changes. Files that git
        ignores stay.
      </p>
      {mode === "branch" ? (
        <p>
          The branch and the staged files also return to that time. Commits made since then leave the branch.
          If one was pushed, nothing is restored.
        </p>
      ) : (
        <p>The branch and its commits stay.</p>
      )}
      <p>Grove first saves the current files as a restore point, so you can return to them.</p>
    </Confirmation>
  );
}

/** Why nothing was restored, and the next step. The device's messages name its tools in these cases. */
function refusalText(error: { message: string }): string {
  switch (errorData(error)?.reason) {
    case "agent_working":
      return "An agent is working in this workspace. Wait until its turn ends, or stop it. Then try again.";
    case "point_gone":
      return "This restore point no longer exists. Choose another one.";
    default:
      return errorMessage(error);
  }
}
