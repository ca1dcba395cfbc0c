import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";

interface MenuAtProps {
  /** The element below which it opens. The focus goes back to it. */
  anchor: HTMLElement;
  onClose: () => void;
  children: ReactNode;
}

/** An open menu without a button of its own, so that many items can share one. */
export const MenuAt = ({ anchor, onClose, children }: MenuAtProps) => (
  <Base.Root open={true} onOpenChange={(isOpen) => !isOpen && onClose()}>
    <Base.Portal>
      <Base.Positioner anchor={anchor} side="bottom" align="start" sideOffset={4} className="z-20">
        <Base.Popup
          finalFocus={() => anchor}
          className="max-h-(--available-height) min-w-48 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop outline-none"
        >
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
