import { type Device, PORTS_PER_WORKSPACE, type Workspace } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { DeviceName } from "../../components/deviceName";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { toolQuery } from "../../lib/commands/deviceTools";
import { projectParam } from "../../lib/projectParam";
import { WORKSPACE_POLL_MS } from "../../lib/queries/pollIntervals";
import { CopyButton } from "../../ui/copyButton";
import { DescriptionList } from "../../ui/descriptionList";
import { NO_VALUE } from "../../ui/noValue";
import { Problem } from "../../ui/problem";
import { StateLabel } from "../../ui/stateLabel";
import { Time } from "../../ui/time";
import { VisibleName } from "../../ui/visibleName";
import { changesOf, states } from "../stateLabels";
import { useOpenCommands } from "../workspaceCommands";
import { configOf, rowsOf } from "../workspaceRows";
import { ChangesAndCommits } from "./changesAndCommits";
import { Ports } from "./ports";
import { SessionHistory } from "./sessionHistory";

/** A workspace's location, changes, commits and agents. */
export function OverviewSide({ workspace }: { workspace: Workspace }) {
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
    refetchInterval: WORKSPACE_POLL_MS,
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
  const section = useRef<HTMLElement>(null);
  // The focus was on the panel while this was loading.
  useEffect(() => {
    if (
      document.activeElement?.matches("[tabindex='-1']") &&
      document.activeElement.contains(section.current)
    )
      section.current?.focus();
  }, []);
  return (
    <section
      ref={section}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions need keyboard access (WCAG 2.1.1)
      tabIndex={0}
      aria-label="Overview"
      className="min-h-0 flex-1 overflow-y-auto p-4 pb-16 sm:px-6"
    >
      <DescriptionList
        facts={[
          ["State", row ? <StateLabel key="state" state={states[row.state]} /> : "…"],
          ["Branch", <Mono key="branch" text={row?.branch} />],
          ["Starts from", <Mono key="base" text={base} />],
          ["Compared with its base", changes || (isOnline ? "…" : "Available when its device is online")],
          ["Directory", <Directory key="path" path={path} />],
          ["Listening ports", details.data ? <Ports key="ports" ports={details.data.ports} /> : NO_VALUE],
          ["Ports for its servers", <PortRange key="range" portBase={details.data?.portBase} />],
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
      <SessionHistory workspaceId={workspaceId} />
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
    </section>
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

/** The ports that are meant for the workspace's servers. */
const PortRange = ({ portBase }: { portBase: number | undefined }) =>
  portBase === undefined ? (
    NO_VALUE
  ) : (
    <span>
      <Mono text={`${portBase} to ${portBase + PORTS_PER_WORKSPACE - 1}`} />{" "}
      <span className="text-muted text-sm">
        $GROVE_PORT_BASE holds the first port in this workspace's terminals and scripts.
      </span>
    </span>
  );

const Mono = ({ text }: { text: string | undefined }) =>
  text ? <VisibleName className="wrap-anywhere min-w-0 font-mono text-sm">{text}</VisibleName> : NO_VALUE;

const Directory = ({ path }: { path: string | undefined }) =>
  path ? (
    <span className="flex items-start gap-1">
      <Mono text={path} />
      <span className="-my-1.5 flex">
        <CopyButton text={path} label="Copy the directory" />
      </span>
    </span>
  ) : (
    NO_VALUE
  );
