import type { Task } from "@grove/schemas";
import { X } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Button, IconButton } from "../../ui/button";
import { Dialog, DialogButtons } from "../../ui/dialog";
import { onKeys } from "../../ui/inputMethod";
import { pluralize } from "../../ui/pluralize";
import { SelectionMenu, type SelectionMenuProps } from "./selectionMenu";
import { useDeleteTasks } from "./selectionMutations";

interface SelectionBarProps {
  /** The selected tasks, in the order of the board. */
  tasks: readonly Task[];
  /** Clears the selection, and focuses the board. */
  onClear: () => void;
}

const menus = [
  { kind: "status", title: "Move to…" },
  { kind: "priority", title: "Set priority" },
  { kind: "assignee", title: "Assign" },
] as const;

/** The actions for the selected cards. */
export function TaskSelectionBar({ tasks, onClear }: SelectionBarProps) {
  const [menu, setMenu] = useState<Pick<SelectionMenuProps, "kind" | "anchor">>();
  const [isDeleting, setDeleting] = useState(false);
  const remove = useDeleteTasks();
  const clear = useEffectEvent(onClear);
  useEffect(() => {
    const clearOnEscape = onKeys((event: KeyboardEvent) => {
      const isElsewhere = event.target instanceof Element && event.target.closest(HANDLES_ESCAPE);
      if (event.key === "Escape" && !event.defaultPrevented && !isElsewhere) clear();
    });
    document.addEventListener("keydown", clearOnEscape);
    return () => document.removeEventListener("keydown", clearOnEscape);
  }, []);
  const count = pluralize(tasks.length, "task");
  return (
    <section
      aria-label="Selected cards"
      className="sticky bottom-2 z-10 mx-auto mt-2 flex w-fit max-w-full flex-wrap items-center gap-1 rounded-lg border border-line bg-raised p-1.5 shadow-pop"
    >
      <p role="status" className="px-2 text-sm">
        {tasks.length} selected
      </p>
      {menus.map(({ kind, title }) => (
        <Button
          key={kind}
          look="quiet"
          aria-haspopup="menu"
          onClick={({ currentTarget: anchor }) => setMenu({ kind, anchor })}
        >
          {title}
        </Button>
      ))}
      <Button look="quiet" aria-haspopup="dialog" onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <IconButton label="Clear the selection" onClick={onClear}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
      {menu && <SelectionMenu tasks={tasks} {...menu} onClose={() => setMenu(undefined)} />}
      <Dialog title={`Delete ${count}?`} open={isDeleting} onOpenChange={setDeleting}>
        <p className="text-muted text-sm">You can restore each of them later, from its page.</p>
        <DialogButtons>
          <Button look="quiet" onClick={() => setDeleting(false)}>
            Cancel
          </Button>
          <Button
            look="danger"
            onClick={() => {
              setDeleting(false);
              remove(tasks);
              onClear();
            }}
          >
            Delete {count}
          </Button>
        </DialogButtons>
      </Dialog>
    </section>
  );
}

/** Elements in which Escape has another meaning. */
const HANDLES_ESCAPE = '[role="dialog"], [role="menu"], input, textarea, select';
