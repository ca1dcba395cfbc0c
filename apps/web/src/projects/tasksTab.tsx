import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { useState } from "react";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Button, buttonClass } from "../ui/button";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { Skeleton } from "../ui/skeleton";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";

const PAGE_SIZE = 100;

/** The project's tasks, newest first. */
export function TasksTab({ projectId }: { projectId: string }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const list = useQuery(queries.task.list.queryOptions({ organizationId, projectId }));
  const statuses = useQuery(queries.task.listStatuses.queryOptions({ organizationId })).data ?? [];
  const [shown, setShown] = useState(PAGE_SIZE);
  if (list.error && !list.data)
    return (
      <Problem title="Could not load the tasks." error={list.error} onRetry={() => void list.refetch()} />
    );
  if (list.data?.length === 0)
    return (
      <Empty
        icon={ListChecks}
        title="No tasks in this project"
        action={
          <Link to="/o/$organization/tasks" params={{ organization }} className={buttonClass("primary")}>
            Open the board
          </Link>
        }
      >
        To add one, set the project on the task's page.
      </Empty>
    );
  if (!list.data) return <Skeleton />;
  return (
    <>
      <Table label="Tasks" columns={["Title", "Status", "Changed"]}>
        {list.data.slice(0, shown).map((task) => {
          const status = statuses.find(({ key }) => key === task.status);
          return (
            <Row key={task.id}>
              <Cell wrap>
                <Link
                  to="/o/$organization/tasks/$task"
                  params={{ organization, task: task.slug }}
                  className="wrap-anywhere font-medium hover:underline"
                >
                  <VisibleName>{task.title}</VisibleName>
                </Link>
              </Cell>
              <Cell quiet>
                <VisibleName>{status?.name}</VisibleName>
              </Cell>
              <Cell quiet>
                <Time at={task.updatedAt} />
              </Cell>
            </Row>
          );
        })}
      </Table>
      {list.data.length > shown && (
        <div className="pt-3">
          <Button onClick={() => setShown(shown + PAGE_SIZE)}>Show more</Button>
        </div>
      )}
    </>
  );
}
