import type { TaskActivity } from "@grove/schemas";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { Button } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { useMembers, useStatuses } from "../taskQueries";
import { activityQuery } from "./activityQuery";
import { Comment } from "./comment";
import { CommentComposer } from "./commentComposer";
import { type ActivityNames, actorName, describeChanges } from "./describeChanges";

/** A task's comments and changes, newest last, and a form for a new comment. */
export function Activity({ taskId }: { taskId: string }) {
  const { id: organizationId } = useOrganization();
  const list = useInfiniteQuery(activityQuery(organizationId, taskId));
  const projects = useQuery(queries.project.list.queryOptions({ organizationId })).data ?? [];
  const names = { members: useMembers(), statuses: useStatuses(), projects };
  const entries = list.data?.pages.flat().toReversed();
  return (
    <section aria-labelledby="activity" className="flex flex-col gap-3 border-line border-t pt-4">
      <h2 id="activity" className="font-medium text-muted text-sm">
        Activity
      </h2>
      {list.error && (
        <Problem
          title="Could not load the activity."
          error={list.error}
          onRetry={() => void list.refetch()}
        />
      )}
      {list.hasNextPage && (
        <span>
          <Button look="quiet" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show older
          </Button>
        </span>
      )}
      {entries && entries.length > 0 && (
        <ol aria-labelledby="activity" className="flex flex-col gap-3">
          {entries.map((entry) => (
            <li key={entry.id}>
              {entry.kind === "comment" ? (
                <Comment comment={entry} author={actorName(entry, names.members)} />
              ) : (
                <ChangeLine entry={entry} names={names} />
              )}
            </li>
          ))}
        </ol>
      )}
      <CommentComposer taskId={taskId} />
    </section>
  );
}

const ChangeLine = ({ entry, names }: { entry: TaskActivity; names: ActivityNames }) => (
  <p className="wrap-anywhere text-muted text-sm">
    <VisibleName>{actorName(entry, names.members)}</VisibleName>{" "}
    {describeChanges(entry.changes ?? {}, names).map((part, index) =>
      typeof part === "string" ? (
        part
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity.
        <VisibleName key={index} className="text-ink">
          {part.value}
        </VisibleName>
      ),
    )}
    {" · "}
    <Time at={entry.createdAt} />
  </p>
);
