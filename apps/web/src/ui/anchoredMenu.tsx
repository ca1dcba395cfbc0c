import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";

interface AnchoredMenuProps {
  /** The element that it opens below, and that gets the focus back. */
  anchor: HTMLElement;
  onClose: () => void;
  /** The accessible name, if it is not the one of the anchor. */
  label?: string;
  children: ReactNode;
}

/** An open menu without its own button, so that all items of a list can share one menu. */
export const AnchoredMenu = ({ anchor, onClose, label, children }: AnchoredMenuProps) => (
  <Base.Root open={true} onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Base.Portal>
      <Base.Positioner anchor={anchor} side="bottom" align="start" sideOffset={4} className="z-20">
        <Base.Popup
          aria-label={label}
          finalFocus={() => anchor}
          className="max-h-(--available-height) min-w-48 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop outline-none"
        >
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
