import type { AnchorPlace, CommentPlace, ReviewComment, ReviewRound } from "@grove/schemas";
import { placeLabel, visibleText } from "@grove/schemas";
import { fragmentOf } from "../../diff/location/urlFragment";
import { Button } from "../../ui/button";
import { VanishingButton } from "../../ui/vanishingButton";
import { VisibleName } from "../../ui/visibleName";
import { answerText, placeText, stateText } from "./reviewTexts";

interface CommentRowProps {
  comment: ReviewComment;
  round: ReviewRound | undefined;
  place: AnchorPlace | undefined;
  onEdit: () => void;
  onDiscard: () => void;
  onSetResolved: (resolved: boolean) => void;
}

/** A comment with its place, its state and its actions. */
export function CommentRow({ comment, round, place, onEdit, onDiscard, onSetResolved }: CommentRowProps) {
  const { anchor, state, body, claim } = comment;
  const notice = placeText(place, anchor);
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-1.5">
      {"path" in anchor ? (
        <PlaceLink place={place?.status === "moved" ? place : anchor} side={anchor.side} />
      ) : (
        <span className="text-sm">On the whole change</span>
      )}
      <span className="text-muted text-sm">{stateText(comment, round)}</span>
      {notice && <span className="text-muted text-sm">{notice}</span>}
      <span className="ml-auto flex gap-1">
        {state === "draft" ? (
          <>
            <Button onClick={onEdit}>Edit</Button>
            <Button onClick={onDiscard}>Discard</Button>
          </>
        ) : (
          <>
            {/* One button, which keeps the focus. */}
            <Button onClick={() => onSetResolved(state === "sent")}>
              {state === "sent" ? "Resolve" : "Reopen"}
            </Button>
            {/* Reopening a comment that is open rejects the agent's answer. */}
            {state === "sent" && claim && (
              <VanishingButton onClick={() => onSetResolved(false)}>Reopen</VanishingButton>
            )}
          </>
        )}
      </span>
      <p className="wrap-anywhere w-full whitespace-pre-wrap">
        <bdi>{visibleText(body)}</bdi>
      </p>
      {claim && (
        <p className="wrap-anywhere w-full whitespace-pre-wrap border-line border-l-2 pl-3 text-sm">
          <bdi>{visibleText(answerText(claim))}</bdi>
        </p>
      )}
    </li>
  );
}

/** A link to a file of the changes, or to lines of it. */
function PlaceLink({ place, side }: { place: CommentPlace; side: "before" | "after" }) {
  const { path, from, to = from } = place;
  const sign = side === "before" ? ("deletions" as const) : ("additions" as const);
  const lines = from !== undefined && to !== undefined && { start: from, side: sign, end: to, endSide: sign };
  return (
    <a className="wrap-anywhere font-mono text-sm" href={fragmentOf({ path, ...(lines && { lines }) })}>
      <VisibleName>{placeLabel(place)}</VisibleName>
    </a>
  );
}
