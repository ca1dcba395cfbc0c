import type { Task } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { VisibleName } from "../ui/visibleName";

interface TaskLinkProps extends Omit<ComponentProps<"a">, "href" | "children"> {
  task: Task;
}

/** Opens a task. The address keeps the filter, for the way back. */
export function TaskLink({ task, ...props }: TaskLinkProps) {
  const { slug } = useOrganization();
  return (
    <Link
      to="/o/$organization/tasks/$task"
      params={{ organization: slug, task: task.slug }}
      search={true}
      draggable={false}
      {...props}
    >
      <VisibleName>{task.title}</VisibleName>
    </Link>
  );
}
