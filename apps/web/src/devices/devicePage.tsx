import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { queries } from "../app/api";
import { adviceFor, Presence } from "../app/presence";
import { useOrganization, useUser } from "../app/useOrganization";
import { CopyLine } from "../ui/copy";
import { Facts } from "../ui/facts";
import { Page } from "../ui/page";
import { Time } from "../ui/time";
import { CommandsTab } from "./commandsTab";
import { DeviceActions } from "./deviceActions";
import { platforms } from "./words";
import { WorkspacesTab } from "./workspacesTab";

const route = getRouteApi("/signed-in/o/$organization/devices/$deviceId");

/** One device: its facts, its workspaces and its commands. */
export function DevicePage() {
  const { deviceId } = route.useParams();
  const { tab } = route.useSearch();
  const { id: organizationId } = useOrganization();
  const user = useUser();
  const device = useQuery(queries.device.get.queryOptions({ organizationId, id: deviceId })).data;
  const members = useQuery(queries.organization.listMembers.queryOptions({ organizationId }));
  // The loader has read it.
  if (!device) return null;
  const isMine = device.ownerId === user.id;
  const owner = members.data?.find(({ userId }) => userId === device.ownerId)?.name;
  const advice = adviceFor(device);
  return (
    <Page title={device.name} lead={<Presence device={device} />} actions={<DeviceActions device={device} />}>
      {advice && (
        <div className="mb-6 max-w-2xl rounded-lg border border-line bg-ground px-4 py-3">
          <p className="mb-2">{advice.words}</p>
          <CopyLine text={advice.command} label="Copy the command" />
        </div>
      )}
      <Facts
        facts={[
          ["Owner", isMine ? "You" : <bdi key="owner">{owner ?? "Another member"}</bdi>],
          ["For", device.shared ? "Every member" : "Its owner only"],
          ["System", platforms[device.platform]],
          ["Agent", device.agentVersion ?? "Not seen yet"],
          ["Added", <Time key="added" at={device.createdAt} />],
        ]}
      />
      <nav aria-label="About this device" className="mt-8 mb-2 flex gap-1 border-line border-b">
        <Tab title="Workspaces" tab={undefined} />
        <Tab title="Commands" tab="commands" />
      </nav>
      {tab === "commands" ? <CommandsTab deviceId={deviceId} /> : <WorkspacesTab deviceId={deviceId} />}
    </Page>
  );
}

interface TabProps {
  title: string;
  tab: "commands" | undefined;
}

const Tab = ({ title, tab }: TabProps) => (
  <Link
    from="/o/$organization/devices/$deviceId"
    to="."
    search={{ tab }}
    activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
    className="-mb-px border-transparent border-b-2 px-3 py-2 text-muted transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
  >
    {title}
  </Link>
);
