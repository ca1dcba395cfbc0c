import type { TaskStatus, TaskStatusType } from "@grove/schemas";
import type { ReactNode } from "react";

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
