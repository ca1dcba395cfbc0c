import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { useOrganization, useUser } from "../../hooks/useOrganization";
import { client } from "../../lib/api";
import { taskActivityKey } from "../../lib/queries/taskActivityKey";
import { Button } from "../../ui/button";
import { type CommentDraft, useCommentDraft } from "./commentDraft";
import { CommentEditor } from "./commentEditor";

/** Adds a comment to a task. */
export function CommentComposer({ taskId }: { taskId: string }) {
  const { id: organizationId } = useOrganization();
  const { id: userId } = useUser();
  const { draft, setText, clear } = useCommentDraft(userId, taskId);
  const add = useMutationWithRefetch(
    {
      mutationFn: ({ text, commentId }: CommentDraft) =>
        client.task.addComment.mutate({ organizationId, id: taskId, body: text.trim(), commentId }),
    },
    {
      refetch: [{ queryKey: taskActivityKey(organizationId, taskId) }],
      onDone: (_, sent) => clear(sent),
    },
  );
  return (
    <CommentEditor
      label="Comment"
      text={draft.text}
      onChange={setText}
      onSubmit={() => {
        if (!add.isPending && draft.text.trim() !== "") add.mutate(draft);
      }}
      error={add.error}
      failed="Could not add the comment."
      buttons={
        <Button type="submit" busy={add.isPending}>
          Add comment
        </Button>
      }
    />
  );
}
