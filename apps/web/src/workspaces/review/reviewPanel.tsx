import { anchorLabel, placeLabel, type ReviewComment } from "@grove/schemas";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queryClient } from "../../lib/api";
import { HoldKeys } from "../../shortcuts/holdKeys";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { Problem } from "../../ui/problem";
import { VanishingButton } from "../../ui/vanishingButton";
import { AgentChoice } from "../creation/agentChoice";
import type { DiffInput } from "../view/diffQuery";
import { type NewComment, newAnchorQuery } from "./anchorOf";
import { CommentRow } from "./commentRow";
import { Composer } from "./composer";
import type { DraftKey } from "./useDraft";
import { usePlaces } from "./usePlaces";
import { type ReviewInput, useReview } from "./useReview";

interface ReviewPanelProps extends ReviewInput, Pick<DiffInput, "against"> {
  /** When the changes on the screen were read. */
  readAt: number;
  begun: NewComment | undefined;
  onClose: () => void;
}

/** The review comments on a workspace's changes, which are sent to its agent together. Empty without a comment. */
export function ReviewPanel({ readAt, begun, onClose, ...input }: ReviewPanelProps) {
  const { organizationId } = input.target;
  const review = useReview(input);
  const { changeId, comments, error } = review;
  const places = usePlaces(input, comments, readAt);
  const written = comments.find(({ id }) => id === begun?.id);
  // The editor closes when its comment was sent.
  const open = written && written.state !== "draft" ? undefined : begun;
  const anchor = open && newAnchorQuery(input, open);
  // Read before the first key, so that it is the version that the user sees.
  const { error: anchorError } = useQuery(anchor ?? { queryKey: ["reviewAnchor"], queryFn: skipToken });
  if (error) return <Problem title="Could not load the comments." error={error} />;
  if (changeId === null)
    return open ? (
      <p role="status" className="px-4 py-2 text-sm sm:px-6">
        You can comment only in a workspace with its own branch.
      </p>
    ) : null;
  // Letters typed for the comment must run no shortcuts while its field is loading.
  if (changeId === undefined) return open ? <HoldKeys /> : null;
  if (comments.length === 0 && !open) return null;
  const draftOf = (id: string) => ({ organizationId, changeId, id });
  return (
    <section
      aria-label="Review"
      className="max-h-[45%] overflow-auto border-line border-b px-4 py-2 max-md:shrink-0 sm:px-6"
    >
      {open && anchor && (
        <Composer
          key={open.id}
          draft={draftOf(open.id)}
          readAnchor={() => queryClient.fetchQuery(anchor)}
          anchorError={anchorError}
          label={open.on === "change" ? "the whole change" : placeLabel(open.on.place)}
          initial=""
          onClose={onClose}
        />
      )}
      <CommentList
        comments={comments.filter(({ id }) => id !== open?.id)}
        review={review}
        places={places}
        draftOf={draftOf}
      />
      {review.sendError && <Problem title="Could not send the comments." error={review.sendError} />}
      {review.changeError && <Problem title="Could not change the comment." error={review.changeError} />}
      <SendButtons review={review} />
      <AgentChoice choice={review.choice} />
    </section>
  );
}

type Review = ReturnType<typeof useReview>;

interface CommentListProps {
  comments: readonly ReviewComment[];
  review: Review;
  places: ReturnType<typeof usePlaces>;
  draftOf: (id: string) => DraftKey;
}

/** The comments, one of which may be edited as long as it is a draft. */
function CommentList({ comments, review, places, draftOf }: CommentListProps) {
  const [edited, setEdited] = useState<ReviewComment>();
  return (
    <ul className="divide-y divide-line">
      {comments.map((comment) =>
        comment.id === edited?.id && comment.state === "draft" ? (
          <li key={comment.id}>
            <Composer
              draft={draftOf(comment.id)}
              readAnchor={async () => comment.anchor}
              label={anchorLabel(comment.anchor)}
              initial={edited.body}
              onClose={() => setEdited(undefined)}
            />
          </li>
        ) : (
          <CommentRow
            key={comment.id}
            comment={comment}
            round={review.rounds.find(({ id }) => id === comment.roundId)}
            place={places.get(comment.id)}
            onEdit={() => setEdited(comment)}
            onDiscard={() => review.discard(comment.id)}
            onSetResolved={(resolved) => review.setResolved(comment.id, resolved)}
          />
        ),
      )}
    </ul>
  );
}

function SendButtons({ review }: { review: Review }) {
  const { drafts, undelivered, isSending, noAgent } = review;
  const ask = () => review.send(drafts, false);
  const sendAgain = () => review.send(undelivered, true);
  const canSend = !isSending && noAgent === undefined;
  useShortcuts({
    title: "Review",
    scope: "page",
    shortcuts: [],
    actions: [
      ...(canSend && drafts.length > 0 ? [{ title: "Ask for changes", run: ask }] : []),
      ...(canSend && undelivered.length > 0 ? [{ title: "Send again", run: sendAgain }] : []),
    ],
  });
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      {drafts.length > 0 && (
        <VanishingButton look="primary" busy={isSending} reason={noAgent} onClick={ask}>
          Ask for changes ({drafts.length})
        </VanishingButton>
      )}
      {undelivered.length > 0 && (
        <VanishingButton busy={isSending} reason={noAgent} onClick={sendAgain}>
          Send again ({undelivered.length})
        </VanishingButton>
      )}
    </div>
  );
}
