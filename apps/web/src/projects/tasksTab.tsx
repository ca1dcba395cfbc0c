import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ListChecks } from "lucide-react";
import { useState } from "react";
import { LoadedList } from "../components/loadedList";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Button, buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
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
  return (
    <LoadedList
      list={list}
      failed="Could not load the tasks."
      empty={
        <EmptyState
          icon={ListChecks}
          title="No tasks in this project"
          action={
            <Link to="/o/$organization/tasks" params={{ organization }} className={buttonClass("primary")}>
              Open board
            </Link>
          }
        >
          To add one, set the project on the task's page.
        </EmptyState>
      }
    >
      {(tasks) => (
        <>
          <Table label="Tasks" columns={["Title", "Status", "Updated"]}>
            {tasks.slice(0, shown).map((task) => {
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
          {tasks.length > shown && (
            <div className="pt-3">
              <Button onClick={() => setShown(shown + PAGE_SIZE)}>Show more</Button>
            </div>
          )}
        </>
      )}
    </LoadedList>
  );
}
