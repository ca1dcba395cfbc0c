import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense } from "react";
import { DevicePresence, offlineAdvice } from "../components/devicePresence";
import { PageTabs } from "../components/pageTabs";
import { useOrganization, useUser } from "../hooks/useOrganization";
import { authQuery, queries } from "../lib/api";
import { lazily } from "../lib/browser/lazily";
import { installCommand } from "../lib/installCommand";
import { membersQuery } from "../lib/queries/membersQuery";
import { CopyLine } from "../ui/copyButton";
import { DescriptionList } from "../ui/descriptionList";
import { Note } from "../ui/note";
import { Page } from "../ui/page";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { DeviceActions } from "./actions/deviceActions";
import { platforms } from "./commands/commandLabels";
import { DeviceWorkspacesTab } from "./deviceWorkspacesTab";
import { DoctorSection } from "./doctorSection";
import { isOlderVersion } from "./isOlderVersion";

// Loaded lazily, because they bundle the schemas of all device tools.
const OnlineSections = lazily(async () => (await import("./onlineSections")).OnlineSections);
// Rarely opened tabs, which are loaded lazily.
const AgentsTab = lazily(async () => (await import("./agentsTab")).AgentsTab);
const CommandsTab = lazily(async () => (await import("./commands/commandsTab")).CommandsTab);

const route = getRouteApi("/signed-in/o/$organization/devices/$deviceId");

const tabs = [["Workspaces"], ["Sessions", "agents"], ["Commands", "commands"]] as const;

export function DevicePage() {
  const { deviceId } = route.useParams();
  const { tab } = route.useSearch();
  const { data: server } = useQuery(authQuery);
  const { id: organizationId } = useOrganization();
  const user = useUser();
  const device = useQuery(queries.device.get.queryOptions({ organizationId, id: deviceId })).data;
  const members = useQuery(membersQuery(organizationId));
  // The route's loader has loaded the device.
  if (!device) return null;
  const isMine = device.ownerId === user.id;
  const owner = members.data?.find(({ userId }) => userId === device.ownerId)?.name;
  const advice = offlineAdvice(device);
  return (
    <Page
      title={device.name}
      lead={<DevicePresence device={device} />}
      actions={<DeviceActions device={device} />}
    >
      {advice && (
        <div className="mb-6 max-w-2xl rounded-lg border border-line bg-ground px-4 py-3">
          <p className="mb-2">{advice.text}</p>
          <CopyLine text={advice.command} label="Copy the command" />
        </div>
      )}
      <DescriptionList
        facts={[
          ["Owner", isMine ? "You" : <VisibleName key="owner">{owner ?? "Another member"}</VisibleName>],
          ["Available to", device.shared ? "All members" : "Only its owner"],
          ["System", platforms[device.platform]],
          ["grove-device", versionText(device.agentVersion, server?.version)],
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
          <Note title={`grove-device is older than this server (${server?.version})`}>
            <p>It still works. To update and restart it, run this on that machine:</p>
            <CopyLine text={installCommand()} label="Copy the command that updates grove-device" />
          </Note>
        </div>
      )}
      <Suspense>
        {device.status === "online" && (isMine || device.shared) && (
          <OnlineSections device={device} isMine={isMine} />
        )}
      </Suspense>
      {device.status === "online" && <DoctorSection device={device} />}
      <div className="mt-8 mb-2">
        <PageTabs
          label="About this device"
          page="/o/$organization/devices/$deviceId"
          tabs={tabs}
          current={tab}
        />
      </div>
      {tab === undefined && <DeviceWorkspacesTab deviceId={deviceId} />}
      <Suspense>
        {tab === "agents" && <AgentsTab deviceId={deviceId} />}
        {tab === "commands" && <CommandsTab deviceId={deviceId} />}
      </Suspense>
    </Page>
  );
}

const versionText = (own: string | null, server: string | undefined): string => {
  if (own === null) return "Version unknown until it connects";
  return server === undefined || server === own ? own : `${own}; this server is ${server}`;
};
