import type { CommandListed, CommandStatus } from "@grove/schemas";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ChevronRight, Terminal } from "lucide-react";
import { useState } from "react";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { Button } from "../ui/button";
import { Checkbox } from "../ui/checkbox";
import { Empty } from "../ui/empty";
import { Problem } from "../ui/problem";
import { Select } from "../ui/select";
import { Cell, Row, Table } from "../ui/table";
import { Time } from "../ui/time";
import { CommandDetails } from "./commandDetails";
import { commandStates, frequentTools, isUnfinished, tools } from "./labels";
import { COMMANDS_POLL_MS } from "./pollIntervals";
import { isCommandStatus } from "./searchParams";

const route = getRouteApi("/signed-in/o/$organization/devices/$deviceId");
const FIRST_LIMIT = 50;
const MAX_LIMIT = 1_000;

const stateOptions = [
  { value: "", title: "Any state" },
  ...Object.entries(commandStates).map(([value, { words }]) => ({ value, title: words })),
];

const toolOptions = [{ value: "", title: "Any tool" }, ...tools.map((value) => ({ value, title: value }))];

/** The commands of a device, newest first. One row at a time is expanded. */
export function CommandsTab({ deviceId }: { deviceId: string }) {
  const { id: organizationId } = useOrganization();
  const { id: me } = useUser();
  const { state, tool, mine, quiet, command: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const [limit, setLimit] = useState(FIRST_LIMIT);
  const list = useQuery(
    queries.agent.listCommands.queryOptions(
      {
        ...{ organizationId, deviceId, status: state, limit },
        ...(mine && { requestedBy: me }),
        ...(tool !== undefined ? { tools: [tool] } : !quiet && { exceptTools: frequentTools }),
      },
      { refetchInterval: COMMANDS_POLL_MS, placeholderData: keepPreviousData },
    ),
  );
  const search = (change: {
    state?: CommandStatus | undefined;
    tool?: string | undefined;
    mine?: true | undefined;
    quiet?: true | undefined;
    command?: string | undefined;
  }) =>
    void navigate({
      to: ".",
      search: (before) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    });
  const isFiltered = state !== undefined || tool !== undefined || mine !== undefined;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3 py-3">
        <Select
          label="State"
          hideLabel
          value={state ?? ""}
          options={stateOptions}
          onChange={(value) => search({ state: isCommandStatus(value) ? value : undefined })}
        />
        <Select
          label="Tool"
          hideLabel
          value={tool ?? ""}
          options={toolOptions}
          onChange={(value) => search({ tool: value === "" ? undefined : value })}
        />
        <Checkbox
          label="Mine only"
          checked={mine === true}
          onChange={(checked) => search({ mine: checked || undefined })}
        >
          Requested by you or with one of your API keys.
        </Checkbox>
        <Checkbox
          label="Show read-only commands and keystrokes"
          checked={quiet === true}
          onChange={(checked) => search({ quiet: checked || undefined })}
        >
          Hidden by default, because there are many of them.
        </Checkbox>
      </div>
      {list.error && !list.data && <Problem title="Could not load the commands." error={list.error} />}
      {list.data?.length === 0 && !opened && (
        <Empty icon={Terminal} title={isFiltered ? "No command matches" : "No command yet"}>
          Commands that agents and people send to this machine appear here.
        </Empty>
      )}
      {list.data && (list.data.length > 0 || opened) && (
        <Table label="Commands" columns={["Command", "State", "Requested", "Cause"]}>
          {/* The command in the address is shown even if the filters exclude it. */}
          {opened !== undefined && !list.data.some(({ id }) => id === opened) && <Details id={opened} />}
          {list.data.map((command) => (
            <Line
              key={command.id}
              command={command}
              isOpen={command.id === opened}
              onOpen={(open) => search({ command: open ? command.id : undefined })}
            />
          ))}
        </Table>
      )}
      {list.data && list.data.length >= limit && limit < MAX_LIMIT && (
        <p className="py-4 text-center">
          <Button busy={list.isPlaceholderData} onClick={() => setLimit(Math.min(limit * 4, MAX_LIMIT))}>
            Show more
          </Button>
        </p>
      )}
    </>
  );
}

interface LineProps {
  command: CommandListed;
  isOpen: boolean;
  onOpen: (open: boolean) => void;
}

function Line({ command: { id, tool, status, createdAt, error, progress }, isOpen, onOpen }: LineProps) {
  return (
    <>
      <Row>
        <Cell>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => onOpen(!isOpen)}
            className="-my-1 flex min-h-6 cursor-pointer items-center gap-1.5 py-1 font-mono text-sm hover:underline"
          >
            <ChevronRight
              aria-hidden="true"
              className={`size-3.5 text-muted transition-transform ${isOpen ? "rotate-90" : ""}`}
            />
            {tool}
          </button>
        </Cell>
        <Cell>
          <State status={status} />
        </Cell>
        <Cell quiet>
          <Time at={createdAt} />
        </Cell>
        <Cell quiet>
          {/* Progress is meaningless once the command has ended. */}
          <span className="block max-w-[60ch] truncate">
            {error?.message ?? (isUnfinished(status) ? progress?.message : "")}
          </span>
        </Cell>
      </Row>
      {isOpen && <Details id={id} />}
    </>
  );
}

const Details = ({ id }: { id: string }) => (
  <tr className="border-line border-b">
    <td colSpan={4} className="py-4 sm:pl-5">
      {/* Limited to the window's width, even if the table is wider. */}
      <div className="sticky left-0 max-w-[calc(100vw-3rem)] md:max-w-[calc(100vw-19rem)]">
        <CommandDetails key={id} id={id} />
      </div>
    </td>
  </tr>
);

const colors = { open: "text-muted", good: "", bad: "text-danger" };

function State({ status }: { status: CommandStatus }) {
  const { words, mark, kind } = commandStates[status];
  return (
    <span className={`flex items-center gap-2 ${colors[kind]}`}>
      <span aria-hidden="true" className="w-3 text-center">
        {mark}
      </span>
      {words}
    </span>
  );
}
