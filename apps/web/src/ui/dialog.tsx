import { Dialog as Base } from "@base-ui/react/dialog";
import { visibleName } from "@grove/schemas";
import type { ReactNode } from "react";
import { useFocusBack } from "./focusBack";

interface DialogProps {
  title: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** A text in it, or a secret that is shown once, would be lost: a click beside it does not close it. */
  keeps?: boolean;
  children: ReactNode;
}

/**
 * A window above the page. Escape and a click beside it close it. The focus goes back to where it was, or to the page
 * if that is gone.
 */
export function Dialog({ title, open, onOpenChange, keeps = false, children }: DialogProps) {
  const goBack = useFocusBack(open);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)} disablePointerDismissal={keeps}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-20 bg-shade transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          finalFocus={goBack}
          className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-20 flex max-h-[80vh] w-[min(30rem,calc(100vw-2rem))] flex-col gap-4 overflow-y-auto rounded-lg border border-line bg-raised p-5 shadow-pop outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
        >
          <Base.Title className="font-semibold text-lg">{visibleName(title)}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The buttons of a dialog: the last one acts. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className="mt-1 flex flex-wrap justify-end gap-2">{children}</div>
);
