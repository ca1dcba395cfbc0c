import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { adviceFor, Presence } from "../components/presence";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { authQuery, queries } from "../lib/api";
import { installLine } from "../lib/installCommand";
import { lazily } from "../lib/lazily";
import { membersQuery } from "../lib/members";
import { CopyLine } from "../ui/copy";
import { Facts } from "../ui/facts";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { DeviceActions } from "./deviceActions";
import { DoctorSection } from "./doctorSection";
import { isOlderVersion } from "./isOlderVersion";
import { platforms } from "./labels";
import { WorkspacesTab } from "./workspacesTab";

// These tabs are opened rarely, so they are loaded lazily.
const AgentsTab = lazily(async () => (await import("./agentsTab")).AgentsTab);
const CommandsTab = lazily(async () => (await import("./commandsTab")).CommandsTab);

const route = getRouteApi("/signed-in/o/$organization/devices/$deviceId");

export function DevicePage() {
  const { deviceId } = route.useParams();
  const { tab } = route.useSearch();
  const { data: server } = useQuery(authQuery);
  const { id: organizationId } = useOrganization();
  const user = useUser();
  const device = useQuery(queries.device.get.queryOptions({ organizationId, id: deviceId })).data;
  const members = useQuery(membersQuery(organizationId));
  // The route's loader has loaded it.
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
          ["Owner", isMine ? "You" : <VisibleName key="owner">{owner ?? "Another member"}</VisibleName>],
          ["For", device.shared ? "Every member" : "Its owner only"],
          ["System", platforms[device.platform]],
          ["Agent", device.agentVersion ?? "Unknown until it connects"],
          [
            "SSH host",
            device.sshHost ? (
              <VisibleName key="ssh">{device.sshHost}</VisibleName>
            ) : (
              "None. Editors on other machines cannot open its workspaces."
            ),
          ],
          ["Added", <Time key="added" at={device.createdAt} />],
        ]}
      />
      {device.status === "online" && isOlderVersion(device.agentVersion, server?.version) && (
        <div className="mt-6 max-w-2xl">
          <Note title={`The device's agent is older than this server (${server?.version})`}>
            <p>The agent still works. To update and restart it, run this on that machine:</p>
            <CopyLine text={installLine()} label="Copy the command that updates the agent" />
          </Note>
        </div>
      )}
      {device.status === "online" && <DoctorSection device={device} />}
      <nav aria-label="About this device" className="mt-8 mb-2 flex gap-1 border-line border-b">
        <Tab title="Workspaces" tab={undefined} isCurrent={tab === undefined} />
        <Tab title="Agents" tab="agents" isCurrent={tab === "agents"} />
        <Tab title="Commands" tab="commands" isCurrent={tab === "commands"} />
      </nav>
      {tab === undefined && <WorkspacesTab deviceId={deviceId} />}
      <Suspense>
        {tab === "agents" && <AgentsTab deviceId={deviceId} />}
        {tab === "commands" && <CommandsTab deviceId={deviceId} />}
      </Suspense>
    </Page>
  );
}

interface TabProps {
  title: string;
  tab: "agents" | "commands" | undefined;
  /** Set explicitly, because the address may contain more parameters than the tab. */
  isCurrent: boolean;
}

const Tab = ({ title, tab, isCurrent }: TabProps) => (
  <Link
    from="/o/$organization/devices/$deviceId"
    to="."
    search={{ tab }}
    aria-current={isCurrent ? "page" : undefined}
    activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
    className="-mb-px border-transparent border-b-2 px-2 py-2 sm:px-3 text-muted transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
  >
    {title}
  </Link>
);
