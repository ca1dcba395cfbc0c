import { Dialog as Base } from "@base-ui/react/dialog";
import { visibleName } from "@grove/schemas";
import { type ReactNode, useRef } from "react";
import { useReturnFocus } from "./useReturnFocus";

interface DialogProps {
  title: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Not closed by a click outside, for dialogs with unsaved text or a secret that is shown once. */
  keepOpen?: boolean;
  /** Focuses the title, so that a long dialog opens at its beginning. */
  focusTitle?: boolean;
  children: ReactNode;
}

/** A modal dialog. Escape or a click outside closes it, and the focus returns to where it was. */
export function Dialog({
  title,
  open,
  onOpenChange,
  keepOpen = false,
  focusTitle = false,
  children,
}: DialogProps) {
  const returnFocus = useReturnFocus(open);
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)} disablePointerDismissal={keepOpen}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-20 bg-shade transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          {...(focusTitle && { initialFocus: heading })}
          finalFocus={returnFocus}
          className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-20 flex max-h-[80vh] w-[min(30rem,calc(100vw-2rem))] flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-raised p-5 shadow-pop outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
        >
          <Base.Title ref={heading} tabIndex={-1} className="font-semibold text-lg outline-none">
            {visibleName(title)}
          </Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons of a dialog. The last one is the primary action. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="mt-1 flex flex-wrap justify-end gap-2">{children}</div>
);
