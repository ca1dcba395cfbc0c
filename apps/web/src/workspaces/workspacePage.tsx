import type { Device, Workspace } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { DeviceName } from "../components/deviceName";
import { useOrganization } from "../hooks/useOrganization";
import { queries } from "../lib/api";
import { toolQuery } from "../lib/deviceTools";
import { projectParam } from "../lib/projectParam";
import { buttonClass } from "../ui/button";
import { Copy } from "../ui/copy";
import { Facts } from "../ui/facts";
import { NONE } from "../ui/none";
import { Page } from "../ui/page";
import { Problem } from "../ui/problem";
import { State } from "../ui/state";
import { Time } from "../ui/time";
import { VisibleName } from "../ui/visibleName";
import { ChangesAndCommits } from "./changesAndCommits";
import { useOpenCommands } from "./commands";
import { OpenInEditor } from "./openInEditor";
import { RenameButton } from "./renameButton";
import { changesOf, states } from "./stateLabels";
import { useWorkspace } from "./useWorkspace";
import { WorkspaceAgents } from "./workspaceAgents";
import { configOf, rowsOf } from "./workspaceRows";
import { WorkspaceTabs } from "./workspaceTabs";

const route = getRouteApi("/signed-in/o/$organization/workspaces/$workspaceId");
const DEVICE_POLL_MS = 15_000;

/** A workspace's location, changes, commits and agents. */
export function WorkspacePage() {
  const { id: organizationId } = useOrganization();
  const { data: workspace } = useWorkspace(organizationId, route.useParams().workspaceId);
  // The loader has put it into the cache.
  return workspace && <Overview workspace={workspace} />;
}

function Overview({ workspace }: { workspace: Workspace }) {
  const { id: organizationId, slug: organization } = useOrganization();
  const workspaceId = workspace.id;
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const projects = useQuery(queries.project.list.queryOptions({ organizationId }));
  const project = projects.data?.find(({ id }) => id === workspace.projectId);
  const { deleting } = useOpenCommands(organizationId);
  const device = devices.data?.find(({ id }) => id === workspace.deviceId);
  const isOnline = device?.status === "online" && !deleting.has(workspaceId);
  const details = useQuery({
    ...toolQuery({ organizationId, deviceId: workspace.deviceId ?? "" }, "get_workspace_details", {
      workspaceId,
    }),
    enabled: isOnline,
    refetchInterval: DEVICE_POLL_MS,
  });
  const [row] = rowsOf({
    records: [workspace],
    devices: devices.data ?? [],
    onDevices: details.data ? [details.data.workspace] : [],
    loading: isOnline && device && details.isPending ? [device.id] : [],
    sessions: [],
    deleting,
  });
  const { base, path } = configOf(workspace);
  const changes = row?.onDevice ? changesOf(row.onDevice) : "";
  return (
    <Page
      title={workspace.name}
      lead={row && <State look={states[row.state]} />}
      actions={
        <>
          {path !== undefined && <OpenInEditor path={path} device={device} />}
          <RenameButton workspace={workspace} device={device} />
          <Link
            to="/o/$organization/workspaces/$workspaceId/delete"
            params={{ organization, workspaceId }}
            className={buttonClass()}
          >
            <Trash2 aria-hidden="true" className="size-4" />
            Delete
          </Link>
        </>
      }
    >
      <div className="mb-6">
        <WorkspaceTabs workspaceId={workspaceId} />
      </div>
      <Facts
        facts={[
          ["Branch", <Mono key="branch" text={row?.branch} />],
          ["Starts from", <Mono key="base" text={base} />],
          ["Compared to its base", changes || (isOnline ? "…" : "Available when its device is online")],
          ["Directory", <Directory key="path" path={path} />],
          ["Device", <DeviceLink key="device" device={device} />],
          [
            "Project",
            <Link
              key="project"
              to="/o/$organization/projects/$project"
              params={{ organization, project: project ? projectParam(project) : workspace.projectId }}
              className="hover:underline"
            >
              <VisibleName>{project?.name ?? "…"}</VisibleName>
            </Link>,
          ],
          ["Created", <Time key="created" at={workspace.createdAt} />],
        ]}
      />
      <WorkspaceAgents workspaceId={workspaceId} />
      {details.error && (
        <div className="mt-8">
          <Problem
            title="Could not load the changes of this workspace."
            error={details.error}
            onRetry={() => void details.refetch()}
          />
        </div>
      )}
      {details.data && <ChangesAndCommits details={details.data} />}
    </Page>
  );
}

function DeviceLink({ device }: { device: Device | undefined }) {
  const { slug: organization } = useOrganization();
  if (!device) return <DeviceName device={device} />;
  return (
    <Link
      to="/o/$organization/devices/$deviceId"
      params={{ organization, deviceId: device.id }}
      className="hover:underline"
    >
      <DeviceName device={device} />
    </Link>
  );
}

const Mono = ({ text }: { text: string | undefined }) =>
  text ? <VisibleName className="wrap-anywhere min-w-0 font-mono text-sm">{text}</VisibleName> : NONE;

const Directory = ({ path }: { path: string | undefined }) =>
  path ? (
    <span className="flex items-start gap-1">
      <Mono text={path} />
      <span className="-my-1.5 flex">
        <Copy text={path} label="Copy the directory" />
      </span>
    </span>
  ) : (
    NONE
  );
