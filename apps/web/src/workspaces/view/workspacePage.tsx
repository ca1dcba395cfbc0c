import type { Workspace } from "@grove/schemas";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useRef } from "react";
import { useOrganization } from "../../hooks/useOrganization";
import { queries } from "../../lib/api";
import { lazily } from "../../lib/browser/lazily";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { useTitle } from "../../ui/page";
import { Problem } from "../../ui/problem";
import { VisibleName } from "../../ui/visibleName";
import { useWorkspace } from "../useWorkspace";
import { Divider, useDividerPosition } from "./divider";
import { RightSidePanel } from "./rightSidePanel";
import { SessionPanel } from "./sessionPanel";
import { sessionTabs } from "./sessionTabs";
import { TabStrip } from "./tabStrip";
import { useSideFocus } from "./useSideFocus";
import { useWorkspaceView, type WorkspaceView } from "./useWorkspaceView";

const WorkspaceActions = lazily(async () => (await import("./workspaceActions")).WorkspaceActions);

const route = getRouteApi("/signed-in/o/$organization/workspaces/$workspaceId");

/** A workspace: the terminals of its sessions, its changes, its files, and an overview. */
export function WorkspacePage() {
  const { id: organizationId } = useOrganization();
  const { data: workspace } = useWorkspace(organizationId, route.useParams().workspaceId);
  // The loader has put it into the cache.
  return workspace && <Workbench key={workspace.id} workspace={workspace} />;
}

/** From 1 280 px, the two sides are beside each other. Below, the right side is among the tabs. */
function Workbench({ workspace }: { workspace: Workspace }) {
  const { id: organizationId } = useOrganization();
  const devices = useQuery(queries.device.list.queryOptions({ organizationId }));
  const device = devices.data?.find(({ id }) => id === workspace.deviceId);
  const view = useWorkspaceView(workspace.id);
  const { wide, only, rightVisible } = view;
  const [position, setPosition] = useDividerPosition();
  const left = useRef<HTMLDivElement>(null);
  const { panel, showSide } = useSideFocus(view);
  useTitle(workspace.name);
  const split = wide && only === undefined;
  useShortcuts({
    title: "Workspace",
    scope: "page",
    shortcuts: [
      { keys: "d", title: "Show the changes", run: () => showSide("changes") },
      { keys: "f", title: "Show the files", run: () => showSide("files") },
      { keys: "w", title: "Show the overview", run: () => showSide("overview") },
      {
        keys: "\\",
        title: "Maximize one side, or show both",
        run: () => {
          const focused = left.current?.contains(document.activeElement) ? "terminals" : "changes";
          if (wide) view.showOnly(only ? undefined : focused);
        },
      },
    ],
  });
  const rightSide = rightVisible && <RightSidePanel ref={panel} workspace={workspace} view={view} />;
  return (
    <div className="flex h-[calc(100dvh-3rem)] min-h-[40rem] flex-col md:h-dvh md:min-h-96">
      <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2 sm:px-6">
        <h1 className="wrap-anywhere min-w-0 font-semibold text-lg">
          <VisibleName>{workspace.name}</VisibleName>
        </h1>
        <Suspense fallback={<span className="h-8" />}>
          <WorkspaceActions workspace={workspace} device={device} />
        </Suspense>
      </header>
      <div className="flex min-h-0 flex-1 border-line border-t">
        {!(wide && only === "changes") && (
          <div
            ref={left}
            className="flex min-w-0 flex-col"
            style={{ width: split ? `${position}%` : "100%" }}
          >
            <TabStrip
              workspace={workspace}
              view={view}
              tabs={sessionTabs(view.sessions, view.selected, Date.now())}
              isOnline={device?.status === "online"}
            />
            {view.tabVisible && <TabPanel view={view} />}
            {!wide && rightSide}
          </div>
        )}
        {split && <Divider label="Width of the left side" position={position} onMove={setPosition} />}
        {wide && rightSide}
      </div>
    </div>
  );
}

function TabPanel({ view }: { view: WorkspaceView }) {
  const { selected, error, isEmpty } = view;
  if (selected)
    return (
      <SessionPanel
        // A terminal takes the quote of another page when it appears.
        key={`${selected.id} ${view.quotes}`}
        session={selected}
        autoFocus={view.focusesTerminal}
      />
    );
  if (error) return <Problem title="Could not load the agents of this workspace." error={error} />;
  if (!isEmpty) return null;
  return (
    <p className="m-auto max-w-prose p-6 text-center text-muted">
      No agent was started here yet. Open a terminal, or start an agent.
    </p>
  );
}
