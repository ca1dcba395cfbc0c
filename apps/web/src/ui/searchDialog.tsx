import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { type LucideIcon, Search } from "lucide-react";
import type { ReactNode } from "react";
import { useReturnFocus } from "./useReturnFocus";
import { VisibleName } from "./visibleName";

export interface Entry {
  id: string;
  title: string;
  /** Secondary text. */
  hint?: string | undefined;
  icon: LucideIcon;
  /** Rendered at the end of the line, such as keys. */
  end?: ReactNode;
  run: () => void;
}

export interface EntryGroup {
  /** The heading. */
  value: string;
  items: Entry[];
}

interface SearchDialogProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  /** The entries that match the text. */
  groups: EntryGroup[];
  /** Whether more results are loading. */
  busy: boolean;
  onClose: () => void;
}

/** A search dialog. Arrow keys highlight, Enter selects, Escape closes. */
export function SearchDialog({ label, text, onText, groups, busy, onClose }: SearchDialogProps) {
  const returnFocus = useReturnFocus(true);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-shade" />
        <Dialog.Popup
          aria-label={label}
          finalFocus={returnFocus}
          className="-translate-x-1/2 fixed top-[10vh] left-1/2 z-20 flex max-h-[min(34rem,80vh)] w-[min(38rem,calc(100vw-1.5rem))] flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-pop outline-none"
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            value={text}
            onValueChange={(value, { reason }) => {
              // Selecting an item runs it. Its title must not replace the search text.
              if (reason !== "item-press") onText(value);
            }}
            itemToStringValue={({ title }: Entry) => title}
            autoHighlight="always"
            keepHighlight
          >
            <div className="flex items-center gap-2.5 border-line border-b px-3">
              <Search aria-hidden="true" className="size-4 shrink-0 text-muted" />
              <Autocomplete.Input
                aria-label={label}
                placeholder={label}
                maxLength={200}
                className="h-11 w-full bg-transparent text-base outline-none placeholder:text-muted"
              />
            </div>
            <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1">
              <Autocomplete.Empty className="empty:hidden">
                <span className="block px-3 py-6 text-center text-muted">
                  {busy ? "Searching…" : "No results."}
                </span>
              </Autocomplete.Empty>
              <Autocomplete.List>
                {(group: EntryGroup) => (
                  <Autocomplete.Group key={group.value} items={group.items}>
                    <Autocomplete.GroupLabel className="px-2 pt-2 pb-1 text-muted text-xs">
                      {group.value}
                    </Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(entry: Entry) => <Line key={entry.id} entry={entry} onClose={onClose} />}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
            </div>
          </Autocomplete.Root>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Line({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { title, hint, icon: Icon, end, run } = entry;
  return (
    <Autocomplete.Item
      value={entry}
      onClick={() => {
        onClose();
        run();
      }}
      className="flex min-h-8 cursor-pointer scroll-my-1 items-center gap-2.5 rounded-md px-2 py-1 text-sm outline-none select-none data-highlighted:bg-hover"
    >
      <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
      <VisibleName className="min-w-0 truncate">{title}</VisibleName>
      {hint !== undefined && <VisibleName className="min-w-0 truncate text-muted">{hint}</VisibleName>}
      {end && <span className="ml-auto">{end}</span>}
    </Autocomplete.Item>
  );
}
