import { Check } from "lucide-react";
import type { ReactNode } from "react";

interface StepsProps {
  steps: readonly {
    title: string;
    done: boolean;
    action?: ReactNode;
  }[];
}

/** A checklist. The first step that is not done is the current one. */
export function Steps({ steps }: StepsProps) {
  const current = steps.findIndex(({ done }) => !done);
  return (
    <ol aria-live="polite" className="flex flex-col gap-2.5">
      {steps.map(({ title, done, action }, index) => (
        <li
          key={title}
          aria-current={index === current ? "step" : undefined}
          className={`flex items-center gap-2.5 ${done || index === current ? "" : "text-muted"}`}
        >
          <span
            aria-hidden="true"
            className={`flex size-5 shrink-0 items-center justify-center rounded-full ${done ? "bg-accent text-on-accent" : "border border-edge"}`}
          >
            {done && <Check className="size-3.5" />}
            {index === current && <span className="size-1.5 animate-pulse rounded-full bg-accent" />}
          </span>
          {title}
          <span className="sr-only">{done ? " (done)" : index === current ? " (waiting)" : ""}</span>
          {index === current && action}
        </li>
      ))}
    </ol>
  );
}
