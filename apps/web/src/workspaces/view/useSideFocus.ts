import { useEffect, useRef, useState } from "react";
import type { RightSide } from "./pageLayout";
import type { WorkspaceView } from "./useWorkspaceView";

const contents = {
  changes: "[role=region]",
  files: "[role=tree][aria-label=Files]",
  overview: "section[aria-label=Overview]",
};

/** Shows content in the right side, and moves the focus to it once it is visible. */
export function useSideFocus({ side, rightVisible, showRightSide }: WorkspaceView) {
  const panel = useRef<HTMLDivElement>(null);
  const [requested, setRequested] = useState<RightSide>();
  useEffect(() => {
    const { current } = panel;
    if (requested === undefined || !rightVisible || side !== requested) return;
    // A content that is not loaded yet takes the focus from the panel.
    (current?.querySelector<HTMLElement>(contents[side]) ?? current)?.focus({ preventScroll: true });
    setRequested(undefined);
  }, [requested, rightVisible, side]);
  const showSide = (next: RightSide) => {
    setRequested(next);
    showRightSide(next);
  };
  return { panel, showSide };
}
