import type { CommandListed } from "@grove/schemas";
import { ChevronRight } from "lucide-react";
import { commandStates } from "../../components/commandStates";
import { isOpenStatus } from "../../lib/commands/isOpenStatus";
import { StateLabel } from "../../ui/stateLabel";
import { Cell, Row } from "../../ui/table";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { CommandDetails } from "./commandDetails";
import { toolLabel } from "./commandLabels";

interface CommandRowProps {
  command: CommandListed;
  /** The name of the member who requested it; undefined until it is loaded. */
  requestedBy: string | undefined;
  isOpen: boolean;
  onOpen: (open: boolean) => void;
}

/** A command in the list. Expanded, a second row has its details. */
export function CommandRow({ command, requestedBy, isOpen, onOpen }: CommandRowProps) {
  const { id, tool, status, createdAt, error, progress } = command;
  return (
    <>
      <Row>
        <Cell>
          <button
            type="button"
            aria-expanded={isOpen}
            title={tool}
            onClick={() => onOpen(!isOpen)}
            className="-my-1 flex min-h-6 cursor-pointer items-center gap-1.5 py-1 text-left hover:underline"
          >
            <ChevronRight
              aria-hidden="true"
              className={`size-3.5 shrink-0 text-muted transition-transform ${isOpen ? "rotate-90" : ""}`}
            />
            {toolLabel(tool)}
          </button>
        </Cell>
        <Cell>
          <StateLabel state={commandStates[status]} />
        </Cell>
        <Cell quiet>
          <Time at={createdAt} />
        </Cell>
        <Cell quiet>
          <VisibleName>{requestedBy ?? "…"}</VisibleName>
        </Cell>
        <Cell quiet>
          {/* Progress is meaningless once the command has ended. */}
          <span className="block max-w-[60ch] truncate">
            {error?.message ?? (isOpenStatus(status) ? progress?.message : "")}
          </span>
        </Cell>
      </Row>
      {isOpen && <CommandDetailsRow id={id} />}
    </>
  );
}

export const CommandDetailsRow = ({ id }: { id: string }) => (
  <tr className="border-line border-b">
    <td colSpan={5} className="py-4 sm:pl-5">
      {/* Limited to the window's width, even if the table is wider. */}
      <div className="sticky left-0 max-w-[calc(100vw-3rem)] md:max-w-[calc(100vw-19rem)]">
        <CommandDetails key={id} id={id} />
      </div>
    </td>
  </tr>
);
