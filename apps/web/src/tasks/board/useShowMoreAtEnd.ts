import { type RefObject, useEffect } from "react";

interface ShowMoreOptions {
  /** The "Show more" button, below the last card. */
  moreButton: RefObject<HTMLElement | null>;
  /** The scroll area of the cards. */
  cards: RefObject<HTMLElement | null>;
  renderedCount: number;
  status: string;
  onMore: (status: string) => void;
}

/** Renders more cards of a column when the user scrolls near its end. */
export function useShowMoreAtEnd({
  moreButton,
  cards,
  renderedCount,
  status,
  onMore,
}: ShowMoreOptions): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: observes the end again after more cards were rendered.
  useEffect(() => {
    if (!moreButton.current) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onMore(status),
      // On narrow screens the column does not scroll by itself, and so is always as high as its cards.
      { root: cards.current, rootMargin: "75% 0px" },
    );
    observer.observe(moreButton.current);
    return () => observer.disconnect();
  }, [moreButton, cards, renderedCount, status, onMore]);
}
