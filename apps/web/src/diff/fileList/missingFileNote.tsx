import { X } from "lucide-react";
import { IconButton } from "../../ui/button";
import { VisibleName } from "../../ui/visibleName";

/** Shows that the file in the URL is not in the diff. */
export const MissingFileNote = ({ path, onClose }: { path: string; onClose: () => void }) => (
  <div className="flex items-center gap-3 border-line border-b bg-warn-soft py-1 pr-1.5 pl-3 text-sm">
    <p className="wrap-anywhere min-w-0 flex-1">
      <VisibleName className="font-mono">{path}</VisibleName> is not part of these changes. Its changes may
      have been reverted.
    </p>
    <IconButton label="Close" onClick={onClose}>
      <X aria-hidden="true" className="size-4" />
    </IconButton>
  </div>
);
