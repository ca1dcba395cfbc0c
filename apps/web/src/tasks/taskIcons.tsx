import type { TaskPriority, TaskStatus, TaskStatusType } from "@grove/schemas";
import { UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { initials } from "../ui/initials";
import { VisibleName } from "../ui/visibleName";
import { priorities } from "./displayNames";

/** The status's colour, mixed with the text colour for contrast in both themes. */
const contrasting = (color: string) => ({ color: `color-mix(in oklab, ${color} 62%, var(--color-ink))` });

const inside = {
  backlog: null,
  unstarted: null,
  started: <path d="M8 4.2a3.8 3.8 0 0 1 0 7.6z" fill="currentColor" />,
  completed: <path d="m5 8.2 2.1 2.1L11 6.2" fill="none" stroke="currentColor" strokeWidth="1.8" />,
  canceled: <path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" fill="none" stroke="currentColor" strokeWidth="1.6" />,
} satisfies Record<TaskStatusType, ReactNode>;

/** The icon of a status, by type. Purely visual: the status's name is always next to it. */
export const StatusIcon = ({ status }: { status: Pick<TaskStatus, "type" | "color"> }) => (
  <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4 shrink-0" style={contrasting(status.color)}>
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

/** The icon of a priority, with its name for screen readers. */
export const PriorityIcon = ({ priority }: { priority: TaskPriority }) => (
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

/** The assignee's initials, with the full name for screen readers. */
export const Assignee = ({ name }: { name: string | undefined }) =>
  name === undefined ? (
    <span
      className="flex size-5 shrink-0 items-center justify-center rounded-full border border-edge border-dashed text-muted"
      title="Unassigned"
    >
      <UserRound aria-hidden="true" className="size-3" />
      <span className="sr-only">Unassigned</span>
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

export const Label = ({ children }: { children: string }) => (
  <span className="inline-flex h-5 max-w-full items-center truncate rounded-full border border-line px-2 text-muted text-xs">
    <VisibleName className="truncate">{children}</VisibleName>
  </span>
);
