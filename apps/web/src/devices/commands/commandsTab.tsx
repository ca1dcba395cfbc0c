import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Terminal } from "lucide-react";
import { useState } from "react";
import { useOrganization, useUser } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { membersQuery } from "../../lib/queries/membersQuery";
import { COMMANDS_POLL_MS } from "../../lib/queries/pollIntervals";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/emptyState";
import { Problem } from "../../ui/problem";
import { Table } from "../../ui/table";
import type { DeviceSearchParams } from "../searchParams";
import { CommandFilters } from "./commandFilters";
import { frequentTools } from "./commandLabels";
import { CommandDetailsRow, CommandRow } from "./commandRow";

const route = getRouteApi("/signed-in/o/$organization/devices/$deviceId");
const FIRST_LIMIT = 50;
const MAX_LIMIT = 1_000;

/** The commands of a device, newest first. One row at a time is expanded. */
export function CommandsTab({ deviceId }: { deviceId: string }) {
  const { id: organizationId } = useOrganization();
  const { id: me } = useUser();
  const search = route.useSearch();
  const { state, tool, mine, quiet, command: openId } = search;
  const navigate = route.useNavigate();
  const [limit, setLimit] = useState(FIRST_LIMIT);
  const list = useQuery(
    queries.agent.listCommands.queryOptions(
      {
        organizationId,
        deviceId,
        status: state,
        limit,
        ...(mine && { requestedBy: me }),
        ...(tool !== undefined ? { tools: [tool] } : !quiet && { exceptTools: frequentTools }),
      },
      { refetchInterval: COMMANDS_POLL_MS, placeholderData: keepPreviousData },
    ),
  );
  const { data: members } = useQuery(membersQuery(organizationId));
  const nameOf = (userId: string | null) =>
    members && (members.find((member) => member.userId === userId)?.name ?? "A former member");
  const setSearch = (change: DeviceSearchParams) =>
    void navigate({
      to: ".",
      search: (before) => ({ ...before, ...change }),
      replace: true,
      resetScroll: false,
    });
  const isFiltered = state !== undefined || tool !== undefined || mine !== undefined;
  return (
    <>
      <CommandFilters search={search} onChange={setSearch} />
      {list.error && !list.data && <Problem title="Could not load the commands." error={list.error} />}
      {list.data?.length === 0 && !openId && (
        <EmptyState icon={Terminal} title={isFiltered ? "No commands match this filter" : "No commands yet"}>
          Commands that agents and people send to this machine appear here.
        </EmptyState>
      )}
      {list.data && (list.data.length > 0 || openId) && (
        <Table label="Commands" columns={["Command", "State", "Requested", "By", "Reason"]}>
          {/* The command in the address is shown even if the filters exclude it. */}
          {openId !== undefined && !list.data.some(({ id }) => id === openId) && (
            <CommandDetailsRow id={openId} />
          )}
          {list.data.map((command) => (
            <CommandRow
              key={command.id}
              command={command}
              requestedBy={nameOf(command.requestedBy)}
              isOpen={command.id === openId}
              onOpen={(isOpen) => setSearch({ command: isOpen ? command.id : undefined })}
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
