import type { Task } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { VisibleName } from "../ui/visibleName";

interface TaskLinkProps extends Omit<ComponentProps<"a">, "href" | "children"> {
  task: Task;
}

/** Links to a task. Keeps the filter in the URL, so that "back" restores it. */
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
