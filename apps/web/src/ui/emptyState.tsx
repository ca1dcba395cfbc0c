import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  /** A sentence about what the list would contain. */
  children: ReactNode;
  /** The next step. */
  action?: ReactNode;
}

/** The empty state of a list, with the next step. */
export const EmptyState = ({ icon: Icon, title, children, action }: EmptyStateProps) => (
  <div className="flex flex-col items-center gap-2 rounded-lg border border-line border-dashed px-6 py-14 text-center">
    <Icon aria-hidden="true" className="size-7 text-muted" strokeWidth={1.5} />
    <h2 className="mt-1 font-semibold text-lg">{title}</h2>
    <p className="max-w-[52ch] text-muted">{children}</p>
    {action && <div className="mt-3">{action}</div>}
  </div>
);
