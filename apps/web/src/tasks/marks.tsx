import type { TaskPriority, TaskStatus, TaskStatusType } from "@grove/schemas";
import { UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { initials } from "../ui/initials";
import { VisibleName } from "../ui/visibleName";
import { priorities } from "./words";

/** A status's own colour, brought so near to the text's that it is seen in both themes. */
const visible = (color: string) => ({ color: `color-mix(in oklab, ${color} 62%, var(--color-ink))` });

const inside = {
  backlog: null,
  unstarted: null,
  started: <path d="M8 4.2a3.8 3.8 0 0 1 0 7.6z" fill="currentColor" />,
  completed: <path d="m5 8.2 2.1 2.1L11 6.2" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  canceled: <path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" fill="none" stroke="currentColor" strokeWidth="1.6" />,
} satisfies Record<TaskStatusType, ReactNode>;

/** The sign of a status: its shape tells its type. The word stands beside it. */
export const StatusMark = ({ status }: { status: Pick<TaskStatus, "type" | "color"> }) => (
  <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 shrink-0" style={visible(status.color)}>
    <circle
      cx="8"
      cy="8"
      r="6.2"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      {...(status.type === "backlog" && { strokeDasharray: "2.4 1.9" })}
    />
    {inside[status.type]}
  </svg>
);

const bars = { urgent: 0, high: 3, medium: 2, low: 1, none: 0 } satisfies Record<TaskPriority, number>;

/** The sign of a priority, with its word for those who do not see it. */
export const PriorityMark = ({ priority }: { priority: TaskPriority }) => (
  <span className="inline-flex shrink-0 align-middle" title={priorities[priority]}>
    <svg
      aria-hidden="true"
      viewBox="0 0 16 16"
      className={`size-4 ${priority === "urgent" ? "text-danger" : "text-muted"}`}
    >
      {priority === "urgent" ? (
        <>
          <rect x="1.5" y="1.5" width="13" height="13" rx="3" fill="currentColor" />
          <path d="M8 4.4v4.4M8 11v.6" className="stroke-on-danger" strokeWidth="1.8" strokeLinecap="round" />
        </>
      ) : (
        [0, 1, 2].map((bar) => (
          <rect
            key={bar}
            x={2 + bar * 4.5}
            y={priority === "none" ? 7.2 : 9.5 - bar * 3.5}
            width="3"
            height={priority === "none" ? 1.6 : 4.5 + bar * 3.5}
            rx="0.8"
            fill="currentColor"
            opacity={priority === "none" || bar < bars[priority] ? 1 : 0.28}
          />
        ))
      )}
    </svg>
    <span className="sr-only">{priorities[priority]}</span>
  </span>
);

/** The initials of the person who has a task; the full name for those who do not see them. */
export const Assignee = ({ name }: { name: string | undefined }) =>
  name === undefined ? (
    <span
      className="flex size-5 shrink-0 items-center justify-center rounded-full border border-edge border-dashed text-muted"
      title="Nobody"
    >
      <UserRound aria-hidden="true" className="size-3" />
      <span className="sr-only">Nobody</span>
    </span>
  ) : (
    <span
      className="flex size-5 shrink-0 items-center justify-center rounded-full bg-accent-soft font-semibold text-[0.625rem] text-accent"
      title={name}
    >
      <span aria-hidden="true">{initials(name)}</span>
      <span className="sr-only">{name}</span>
    </span>
  );

/** A label of a task. */
export const Label = ({ children }: { children: string }) => (
  <span className="inline-flex h-5 max-w-full items-center truncate rounded-full border border-line px-2 text-muted text-xs">
    <VisibleName className="truncate">{children}</VisibleName>
  </span>
);
