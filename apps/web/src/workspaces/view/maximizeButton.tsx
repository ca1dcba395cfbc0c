import { Columns2, Maximize2 } from "lucide-react";
import { IconButton } from "../../ui/button";
import type { WorkspaceView } from "./useWorkspaceView";

const labels = {
  changes: "Maximize the changes",
  files: "Maximize the files",
  overview: "Maximize the overview",
};

/** Maximizes a side of the page, or shows both sides again. */
export const MaximizeButton = ({ side, view }: { side: "terminals" | "changes"; view: WorkspaceView }) => {
  const Icon = view.only ? Columns2 : Maximize2;
  const label = side === "terminals" ? "Maximize the left side" : labels[view.side];
  return (
    <span className="ml-auto">
      <IconButton
        label={view.only ? "Show both sides" : label}
        onClick={() => view.showOnly(view.only ? undefined : side)}
      >
        <Icon aria-hidden="true" className="size-4" />
      </IconButton>
    </span>
  );
};
