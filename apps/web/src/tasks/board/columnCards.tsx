import type { Task } from "@grove/schemas";
import type { SessionStateName } from "../../lib/agentSessions/sessionActivity";
import { memberName, useMembers } from "../taskQueries";
import type { Position } from "./boardPosition";
import { Card } from "./card";
import type { CardSelection } from "./cardSelection";
import type { DragLibrary } from "./useDragLibrary";

interface ColumnCardsProps {
  tasks: Task[];
  agentStates: ReadonlyMap<string, SessionStateName>;
  /** The id of the board's tab stop, in this column or another. */
  tabStop: string | undefined;
  liftedId: string | undefined;
  selection: CardSelection;
  /** Where a dragged card would be dropped, if that is in this column. */
  dropPosition: Position | undefined;
  drag: DragLibrary | undefined;
  onMenu: (id: string, button: HTMLElement) => void;
}

/** The rendered cards of a column. */
export function ColumnCards({
  tasks,
  agentStates,
  tabStop,
  liftedId,
  selection,
  dropPosition,
  drag,
  onMenu,
}: ColumnCardsProps) {
  const members = useMembers();
  return tasks.map((task, index) => (
    <Card
      key={task.id}
      task={task}
      agentState={agentStates.get(task.id)}
      assignee={task.assigneeId === null ? undefined : memberName(members, task.assigneeId)}
      isTabStop={task.id === tabStop}
      isLifted={task.id === liftedId}
      selection={selection}
      dropIndicator={dropPosition && indicatorAt(dropPosition, task.id, index)}
      drag={drag}
      onMenu={onMenu}
    />
  ));
}

/** Where a card shows the drop indicator: below the card above it, or at the top of the column. */
function indicatorAt({ after }: Position, id: string, index: number): "above" | "below" | undefined {
  if (after === id) return "below";
  return after === undefined && index === 0 ? "above" : undefined;
}
