import { useSyncExternalStore } from "react";
import type { WorkspaceSearch } from "../workspaceSearch";

/** The narrowest window that shows both sides beside each other. */
const WIDE = "(min-width: 1280px)";

export const isWide = (): boolean => matchMedia(WIDE).matches;

export const useIsWide = (): boolean =>
  useSyncExternalStore((listener) => {
    const query = matchMedia(WIDE);
    query.addEventListener("change", listener);
    return () => query.removeEventListener("change", listener);
  }, isWide);

/**
 * Whether the page shows its right side: in a wide window unless the terminals are maximized, else in the side's tab. A
 * link to a file or to the overview opens that tab.
 */
export const rightSideIsVisible = ({ only, side, tab }: WorkspaceSearch, wide: boolean): boolean =>
  wide
    ? only !== "terminals"
    : only === "changes" || (only === undefined && tab === undefined && side !== undefined);

/** Replaces the tab and the maximized side in the page's search parameters. */
export const withView = (
  { tab: _tab, only: _only, ...others }: WorkspaceSearch,
  { tab, only }: { tab: string | undefined; only?: WorkspaceSearch["only"] },
): WorkspaceSearch => ({ ...others, ...(tab !== undefined && { tab }), ...(only && { only }) });

/** The content of the right side. */
export type RightSide = "changes" | NonNullable<WorkspaceSearch["side"]>;

/** Shows a content at the right side, in a narrow window in place of the tab. */
export function withRightSide(previous: WorkspaceSearch, side: RightSide, wide: boolean): WorkspaceSearch {
  const { side: shown, only, ...others } = previous;
  if ((shown ?? "changes") === side && rightSideIsVisible(previous, wide)) return previous;
  return {
    ...others,
    ...(wide ? only === "changes" && { only } : { only: "changes" as const }),
    ...(side !== "changes" && { side }),
  };
}
