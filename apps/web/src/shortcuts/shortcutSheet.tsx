import { useState } from "react";
import { Dialog } from "../ui/dialog";
import { KeyCaps } from "./keyCaps";
import { SingleKeysSetting } from "./singleKeysSetting";
import { currentGroups } from "./useShortcuts";

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  // A snapshot: the page below does not change while the sheet is open.
  const [groups] = useState(currentGroups);
  return (
    <Dialog title="Keyboard shortcuts" open onOpenChange={(open) => !open && onClose()} focusTitle>
      <div className="flex flex-col gap-5">
        {groups
          .filter(({ shortcuts }) => shortcuts.length > 0)
          .map(({ title, shortcuts }) => (
            <section key={title}>
              <h3 className="pb-1.5 font-medium text-muted text-sm">{title}</h3>
              <ul className="flex flex-col">
                {shortcuts.map(({ keys, title: shortcutTitle }) => (
                  <li
                    key={keys}
                    className="flex min-h-8 items-center justify-between gap-4 border-line border-t"
                  >
                    {shortcutTitle}
                    <KeyCaps keys={keys} />
                  </li>
                ))}
              </ul>
            </section>
          ))}
        <SingleKeysSetting />
      </div>
    </Dialog>
  );
}
