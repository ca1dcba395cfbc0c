import type { AnchorPlace, ReviewComment, ReviewRound } from "@grove/schemas";
import { visibleText } from "@grove/schemas";
import { fragmentOf } from "../../diff/location/urlFragment";
import { Button } from "../../ui/button";
import { VisibleName } from "../../ui/visibleName";
import { claimText, placeText, rangeLabel, stateText } from "./reviewTexts";

interface CommentRowProps {
  comment: ReviewComment;
  round: ReviewRound | undefined;
  place: AnchorPlace | undefined;
  onEdit: () => void;
  onDiscard: () => void;
  onSettle: (resolved: boolean) => void;
}

/** A comment with its lines, its state and its actions. */
export function CommentRow({ comment, round, place, onEdit, onDiscard, onSettle }: CommentRowProps) {
  const { anchor, state, body, claim } = comment;
  const current = place?.status === "moved" ? place : anchor;
  const side = anchor.side === "before" ? ("deletions" as const) : ("additions" as const);
  const lines = { start: current.from, side, end: current.to, endSide: side };
  const notice = placeText(place);
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-1.5">
      <a className="wrap-anywhere font-mono text-sm" href={fragmentOf({ path: current.path, lines })}>
        <VisibleName>{rangeLabel(current)}</VisibleName>
      </a>
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
            {state === "sent" && <Button onClick={() => onSettle(true)}>Resolve</Button>}
            {/* Reopening a comment that is open rejects the agent's answer. */}
            {(state === "resolved" || claim) && <Button onClick={() => onSettle(false)}>Reopen</Button>}
          </>
        )}
      </span>
      <p className="wrap-anywhere w-full whitespace-pre-wrap">
        <bdi>{visibleText(body)}</bdi>
      </p>
      {claim && (
        <p className="wrap-anywhere w-full whitespace-pre-wrap border-line border-l-2 pl-3 text-sm">
          <bdi>{visibleText(claimText(claim))}</bdi>
        </p>
      )}
    </li>
  );
}
