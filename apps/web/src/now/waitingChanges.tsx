import type { Change, Task } from "@grove/schemas";
import { Link } from "@tanstack/react-router";
import { changeStates } from "../components/changeStates";
import { useOrganization } from "../hooks/useOrganization";
import { StateLabel } from "../ui/stateLabel";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { ItemLine, ItemList, linkClass } from "./itemList";

interface WaitingChangesProps {
  changes: readonly Change[];
  /** The user's tasks. */
  tasks: readonly Task[];
}

/** The changes that wait for the user: to be reviewed, merged or repaired. */
export const WaitingChanges = ({ changes, tasks }: WaitingChangesProps) => (
  <ItemList title="Changes waiting for you">
    {changes.map((change) => (
      <ItemLine key={change.id}>
        <StateLabel state={changeStates[change.workState]} />
        <span className="min-w-0 flex-1 basis-64">
          <ChangeLink change={change} name={tasks.find(({ id }) => id === change.taskId)?.title} />
        </span>
        <span className="text-muted text-sm">
          <VisibleName className="wrap-anywhere font-mono">{change.branch}</VisibleName>,{" "}
          <Time at={change.updatedAt} />
        </span>
      </ItemLine>
    ))}
  </ItemList>
);

/** Links to the changes in the workspace, by the task's title. A change may outlive its workspace. */
function ChangeLink({ change, name = change.branch }: { change: Change; name: string | undefined }) {
  const { slug: organization } = useOrganization();
  if (change.workspaceId === null) return <VisibleName>{name}</VisibleName>;
  return (
    <Link
      to="/o/$organization/workspaces/$workspaceId"
      params={{ organization, workspaceId: change.workspaceId }}
      search={{ only: "changes" }}
      className={linkClass}
    >
      <VisibleName>{name}</VisibleName>
    </Link>
  );
}
