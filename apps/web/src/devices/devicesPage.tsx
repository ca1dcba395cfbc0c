import type { Device } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MonitorDot, Plus } from "lucide-react";
import { DevicePresence } from "../components/devicePresence";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { membersQuery } from "../lib/queries/membersQuery";
import { buttonClass } from "../ui/button";
import { EmptyState } from "../ui/emptyState";
import { NO_VALUE } from "../ui/noValue";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { Cell, Row, Table } from "../ui/table";
import { VisibleName } from "../ui/visibleName";
import { platforms } from "./commands/commandLabels";

export function DevicesPage() {
  const { id: organizationId, slug: organization } = useOrganization();
  const list = useQuery(queries.device.list.queryOptions({ organizationId }));
  const agents = useQuery(queries.agent.listSessions.queryOptions({ organizationId, status: "running" }));
  const online = list.data?.filter(({ status }) => status === "online").length;
  const user = useUser();
  const members = useQuery(membersQuery(organizationId));
  const ownerOf = ({ ownerId }: Device) =>
    ownerId === user.id
      ? "You"
      : (members.data?.find(({ userId }) => userId === ownerId)?.name ??
        (members.isPending ? "…" : "A former member"));
  const runningOn = (id: string) => agents.data?.filter(({ deviceId }) => deviceId === id).length ?? 0;
  const add = (
    <Link to="/o/$organization/devices/add" params={{ organization }} className={buttonClass("primary")}>
      <Plus aria-hidden="true" className="size-4" />
      Add a device
    </Link>
  );
  const isEmpty = list.data?.length === 0;
  return (
    <Page
      title="Devices"
      lead={
        list.data && !isEmpty && <p className="text-muted">{`${online} of ${list.data.length} online`}</p>
      }
      actions={!isEmpty && add}
    >
      {list.error && (
        <Problem title="Could not load the devices." error={list.error} onRetry={() => void list.refetch()} />
      )}
      {isEmpty && (
        <EmptyState icon={MonitorDot} title="No devices yet" action={add}>
          A device is a machine on which Grove creates workspaces and runs agents: your laptop, a server, a
          container.
        </EmptyState>
      )}
      {list.data && !isEmpty && (
        <Table
          label="Devices"
          columns={["Name", "Status", "Agents", "System", "Version", "Owner", "Available to"]}
        >
          {list.data.map((device) => (
            <Row key={device.id}>
              <Cell wrap>
                <Link
                  to="/o/$organization/devices/$deviceId"
                  params={{ organization, deviceId: device.id }}
                  className="font-medium underline-offset-3 hover:underline"
                >
                  <VisibleName>{device.name}</VisibleName>
                </Link>
              </Cell>
              <Cell>
                <DevicePresence device={device} />
              </Cell>
              <Cell quiet>{runningOn(device.id) || NO_VALUE}</Cell>
              <Cell quiet>{platforms[device.platform]}</Cell>
              <Cell quiet>{device.agentVersion ?? NO_VALUE}</Cell>
              <Cell quiet>
                <VisibleName>{ownerOf(device)}</VisibleName>
              </Cell>
              <Cell quiet>{device.shared ? "All members" : "Only its owner"}</Cell>
            </Row>
          ))}
        </Table>
      )}
    </Page>
  );
}
