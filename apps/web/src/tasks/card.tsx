import type { Task } from "@grove/schemas";
import { Ellipsis, GitBranch, GitPullRequest } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import { IconButton } from "../ui/button";
import { Assignee, Label, PriorityIcon } from "./taskIcons";
import { TaskLink } from "./taskLink";
import type { DragLibrary } from "./useDragLibrary";

interface CardProps {
  task: Task;
  assignee: string | undefined;
  /** Roving tabindex: only one card of the board is a tab stop. */
  isStop: boolean;
  isLifted: boolean;
  /** Where the drop indicator is shown. */
  line: "above" | "below" | undefined;
  drag: DragLibrary | undefined;
  onMenu: (id: string, button: HTMLElement) => void;
}

const MAX_LABELS = 3;

export const Card = memo(function Card({ task, assignee, isStop, isLifted, line, drag, onMenu }: CardProps) {
  const element = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!drag || !element.current) return;
    return drag.draggable({ element: element.current, getInitialData: () => ({ task: task.id }) });
  }, [drag, task.id]);
  const more = task.labels.length - MAX_LABELS;
  return (
    <li
      ref={element}
      data-task={task.id}
      className={`group relative flex flex-col gap-2 rounded-md border bg-raised p-2.5 transition-[border-color,box-shadow] hover:border-edge has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent ${
        isLifted ? "border-accent shadow-pop" : "border-line"
      }`}
    >
      {line && (
        <span
          aria-hidden="true"
          className={`pointer-events-none absolute inset-x-0 h-0.5 rounded-full bg-accent ${line === "above" ? "-top-1" : "-bottom-1"}`}
        />
      )}
      <div className="flex items-start gap-2">
        <TaskLink
          task={task}
          tabIndex={isStop ? 0 : -1}
          className="wrap-anywhere line-clamp-3 min-w-0 flex-1 text-sm leading-snug outline-none after:absolute after:inset-0"
        />
        <span className="-mt-1 -mr-1 z-1 flex opacity-0 focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100">
          <IconButton
            label={`Actions of ${task.title}`}
            aria-haspopup="menu"
            tabIndex={isStop ? 0 : -1}
            onClick={({ currentTarget }) => onMenu(task.id, currentTarget)}
          >
            <Ellipsis aria-hidden="true" className="size-4" />
          </IconButton>
        </span>
      </div>
      <div className="flex min-h-5 items-center gap-2">
        <PriorityIcon priority={task.priority} />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
          {task.labels.slice(0, MAX_LABELS).map((label) => (
            <Label key={label}>{label}</Label>
          ))}
          {more > 0 && <span className="text-muted text-xs">+{more}</span>}
        </span>
        {task.prUrl ? (
          <GitPullRequest aria-label="Has a pull request" className="size-3.5 shrink-0 text-muted" />
        ) : (
          task.branch && <GitBranch aria-label="Has a branch" className="size-3.5 shrink-0 text-muted" />
        )}
        <Assignee name={assignee} />
      </div>
    </li>
  );
});
