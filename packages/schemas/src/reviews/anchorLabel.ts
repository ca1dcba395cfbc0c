import type { Anchor } from "./review";

/** A file, or lines of it. */
export interface CommentPlace {
  path: string;
  /** Undefined for a whole file. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Formats a file, or lines of it, as `src/login.ts` or `src/login.ts:4-6`. */
export const placeLabel = ({ path, from, to }: CommentPlace): string =>
  from === undefined ? path : `${path}:${from}${from === to ? "" : `-${to}`}`;

/** Formats an anchor as `placeLabel` does, or as `the whole change`. */
export const anchorLabel = (anchor: Anchor): string =>
  "path" in anchor ? placeLabel(anchor) : "the whole change";

/** Formats an anchor as `anchorLabel` does, and names the side of lines that the change has replaced. */
export const anchorLabelWithSide = (anchor: Anchor): string =>
  "side" in anchor && anchor.side === "before"
    ? `${anchorLabel(anchor)} (before the change)`
    : anchorLabel(anchor);
