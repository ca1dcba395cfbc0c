import type { TaskActivity } from "@grove/schemas";
import { Pencil, Trash2 } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { useMutationWithRefetch } from "../../hooks/useMutationWithRefetch";
import { useOrganization, useUser } from "../../hooks/useOrganization";
import { client } from "../../lib/api";
import { lazily } from "../../lib/browser/lazily";
import { taskActivityKey } from "../../lib/queries/taskActivityKey";
import { Button, IconButton } from "../../ui/button";
import { Confirmation } from "../../ui/formDialog";
import { errorMessage } from "../../ui/problem";
import { showToast } from "../../ui/showToast";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { CommentEditor } from "./commentEditor";

const Markdown = lazily(async () => (await import("../../markdown/markdown")).Markdown);

interface CommentProps {
  comment: TaskActivity;
  author: string;
}

/** A comment. Its author can edit it, and admins can delete it too. */
export function Comment({ comment, author }: CommentProps) {
  const { role } = useOrganization();
  const isOwn = comment.actorId === useUser().id;
  const [isEdited, setEdited] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const editButton = useRef<HTMLSpanElement>(null);
  const wasEdited = useRef(false);
  useEffect(() => {
    if (!isEdited && wasEdited.current) editButton.current?.querySelector("button")?.focus();
    wasEdited.current = isEdited;
  }, [isEdited]);
  const tick = useUpdateComment(comment);
  const text = (tick.isPending ? tick.variables : comment.body) ?? "";
  return (
    <article aria-label={`Comment by ${author}`} className="rounded-lg border border-line bg-raised">
      <div className="flex min-h-10 items-center gap-2 border-line border-b py-1 pr-1 pl-3 text-sm">
        <p className="wrap-anywhere min-w-0 flex-1 text-muted">
          <VisibleName className="font-medium text-ink">{author}</VisibleName>
          {" · "}
          <Time at={comment.createdAt} />
          {comment.editedAt !== null && " · edited"}
        </p>
        {isOwn && !isEdited && (
          <span ref={editButton} className="flex">
            <IconButton label="Edit the comment" onClick={() => setEdited(true)}>
              <Pencil aria-hidden="true" className="size-3.5" />
            </IconButton>
          </span>
        )}
        {(isOwn || role !== "member") && !isEdited && (
          <IconButton label="Delete the comment" onClick={() => setDeleting(true)}>
            <Trash2 aria-hidden="true" className="size-3.5" />
          </IconButton>
        )}
      </div>
      <div className="px-3 py-2.5">
        {isEdited ? (
          <CommentForm comment={comment} onClose={() => setEdited(false)} />
        ) : (
          <Suspense fallback={<p className="wrap-anywhere whitespace-pre-wrap">{text}</p>}>
            <Markdown text={text} onTick={isOwn ? tick.mutate : undefined} />
          </Suspense>
        )}
      </div>
      {isDeleting && <DeleteComment comment={comment} onClose={() => setDeleting(false)} />}
    </article>
  );
}

/** Changes a comment's text. */
function useUpdateComment({ id, taskId }: TaskActivity, onDone?: () => void) {
  const { id: organizationId } = useOrganization();
  return useMutationWithRefetch(
    {
      // One after the other: each has the whole text.
      scope: { id: `comment ${id}` },
      mutationFn: (body: string) => client.task.updateComment.mutate({ organizationId, id, body }),
      ...(onDone === undefined && {
        onError: (error: Error) =>
          showToast({ title: "Could not change the comment", description: errorMessage(error) }),
      }),
    },
    { refetch: [{ queryKey: taskActivityKey(organizationId, taskId) }], onDone },
  );
}

function CommentForm({ comment, onClose }: { comment: TaskActivity; onClose: () => void }) {
  const [text, setText] = useState(comment.body ?? "");
  const update = useUpdateComment(comment, onClose);
  return (
    <CommentEditor
      label="Comment"
      text={text}
      onChange={setText}
      onSubmit={() => {
        const body = text.trim();
        if (body === comment.body) onClose();
        else if (!update.isPending && body !== "") update.mutate(body);
      }}
      error={update.error}
      failed="Could not change the comment."
      autoFocus
      rows={Math.min(24, text.split("\n").length + 2)}
      buttons={
        <>
          <Button type="submit" look="primary" busy={update.isPending}>
            Save
          </Button>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
        </>
      }
    />
  );
}

function DeleteComment({ comment, onClose }: { comment: TaskActivity; onClose: () => void }) {
  const { id: organizationId } = useOrganization();
  const remove = useMutationWithRefetch(
    { mutationFn: () => client.task.deleteComment.mutate({ organizationId, id: comment.id }) },
    { refetch: [{ queryKey: taskActivityKey(organizationId, comment.taskId) }], onDone: onClose },
  );
  return (
    <Confirmation
      title="Delete the comment"
      action="Delete comment"
      change={remove}
      failed="Could not delete the comment."
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>It cannot be restored.</p>
    </Confirmation>
  );
}
