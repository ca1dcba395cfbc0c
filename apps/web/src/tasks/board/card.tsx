import type { Task, WorkState } from "@grove/schemas";
import { CalendarDays, Ellipsis, GitBranch, GitPullRequest, SquareCheck } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import { changeStates } from "../../components/changeStates";
import { pullStates } from "../../components/pullStates";
import { stateStyles } from "../../components/sessionState";
import { type SessionStateName, stateLabels } from "../../lib/agentSessions/sessionActivity";
import { IconButton } from "../../ui/button";
import { StateLabel, toneClasses } from "../../ui/stateLabel";
import { Assignee, Label, PriorityIcon } from "../taskIcons";
import { TaskLink } from "../taskLink";
import { type CardSelection, useIsSelected } from "./cardSelection";
import type { DragLibrary } from "./useDragLibrary";

interface CardProps {
  task: Task;
  assignee: string | undefined;
  /** The state of the task's running agents, if it has any. */
  agentState: SessionStateName | undefined;
  /** Roving tabindex: only one card of the board is a tab stop. */
  isTabStop: boolean;
  isLifted: boolean;
  selection: CardSelection;
  /** Where the drop indicator is shown. */
  dropIndicator: "above" | "below" | undefined;
  drag: DragLibrary | undefined;
  onMenu: (id: string, button: HTMLElement) => void;
}

const MAX_LABELS = 3;

/** The states of changes that the marks of agents and pull requests show, or that say nothing. */
const shownElsewhere: ReadonlySet<WorkState> = new Set(["working", "merged", "closed", "idle"]);

export const Card = memo(function Card({
  task,
  assignee,
  agentState,
  isTabStop,
  isLifted,
  selection,
  dropIndicator,
  drag,
  onMenu,
}: CardProps) {
  const element = useRef<HTMLLIElement>(null);
  const isSelected = useIsSelected(selection, task.id);
  useEffect(() => {
    if (!drag || !element.current) return;
    return drag.draggable({ element: element.current, getInitialData: () => ({ task: task.id }) });
  }, [drag, task.id]);
  const more = task.labels.length - MAX_LABELS;
  return (
    <li
      ref={element}
      data-task={task.id}
      className={`group relative flex flex-col gap-2 rounded-md border p-2.5 transition-[border-color,box-shadow] hover:border-edge has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent ${
        isLifted || isSelected ? "border-accent" : "border-line"
      } ${isLifted ? "shadow-pop" : ""} ${isSelected ? "bg-accent-soft" : "bg-raised"}`}
    >
      {dropIndicator && (
        <span
          aria-hidden="true"
          className={`pointer-events-none absolute inset-x-0 h-0.5 rounded-full bg-accent ${dropIndicator === "above" ? "-top-1" : "-bottom-1"}`}
        />
      )}
      <div className="flex items-start gap-2">
        {isSelected && <SquareCheck aria-label="Selected" className="mt-0.5 size-4 shrink-0 text-accent" />}
        <TaskLink
          task={task}
          tabIndex={isTabStop ? 0 : -1}
          className="wrap-anywhere line-clamp-3 min-w-0 flex-1 text-sm leading-snug outline-none after:absolute after:inset-0"
        />
        <span className="-mt-1 -mr-1 z-1 flex opacity-0 focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100">
          <IconButton
            label={`Actions for ${task.title}`}
            aria-haspopup="menu"
            tabIndex={isTabStop ? 0 : -1}
            onClick={({ currentTarget }) => onMenu(task.id, currentTarget)}
          >
            <Ellipsis aria-hidden="true" className="size-4" />
          </IconButton>
        </span>
      </div>
      {task.changeState !== null && !shownElsewhere.has(task.changeState) && (
        <span className="text-xs">
          <StateLabel state={changeStates[task.changeState]} />
        </span>
      )}
      <div className="flex min-h-5 items-center gap-2">
        <PriorityIcon priority={task.priority} />
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-1">
          {task.labels.slice(0, MAX_LABELS).map((label) => (
            <Label key={label}>{label}</Label>
          ))}
          {more > 0 && <span className="text-muted text-xs">+{more}</span>}
        </span>
        {task.dueDate !== null && <DueDate day={task.dueDate} isOpen={task.completedAt === null} />}
        {agentState && <AgentState state={agentState} />}
        <CodeState task={task} />
        <Assignee name={assignee} />
      </div>
    </li>
  );
});

/** The state of the task's pull requests. Before there is one, whether it has a branch. */
function CodeState({ task: { prState, prUrl, branch } }: { task: Task }) {
  if (prState !== null) {
    const { icon: Icon, tone, label } = pullStates[prState];
    return (
      <Icon
        aria-label={`Pull request: ${label.toLowerCase()}`}
        className={`size-3.5 shrink-0 ${toneClasses[tone]}`}
      />
    );
  }
  if (prUrl)
    return <GitPullRequest aria-label="Has a pull request" className="size-3.5 shrink-0 text-muted" />;
  return branch && <GitBranch aria-label="Has a branch" className="size-3.5 shrink-0 text-muted" />;
}

function AgentState({ state }: { state: SessionStateName }) {
  const { icon: Icon, tone } = stateStyles[state];
  return (
    <Icon aria-label={`Agent: ${stateLabels[state]}`} className={`size-3.5 shrink-0 ${toneClasses[tone]}`} />
  );
}

const shortDay = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" });

/** A task's due date, in the warning colour once the day is over. */
function DueDate({ day, isOpen }: { day: string; isOpen: boolean }) {
  const isOverdue = isOpen && day < new Date().toISOString().slice(0, 10);
  return (
    <time
      dateTime={day}
      title={isOverdue ? `Was due on ${day}` : `Due on ${day}`}
      className={`flex shrink-0 items-center gap-1 text-xs ${isOverdue ? "text-danger" : "text-muted"}`}
    >
      <CalendarDays aria-hidden="true" className="size-3.5" />
      <span className="sr-only">{isOverdue ? "Was due on " : "Due on "}</span>
      {shortDay.format(new Date(day))}
    </time>
  );
}
