import type { Workspace } from "@grove/schemas";
import { type Ref, Suspense } from "react";
import { lazily } from "../../lib/browser/lazily";
import { TabBar } from "../../ui/tabBar";
import { MaximizeButton } from "./maximizeButton";
import { RightSideTabs } from "./rightSideTabs";
import type { WorkspaceView } from "./useWorkspaceView";

const ChangesSide = lazily(async () => (await import("./changesSide")).ChangesSide);
const FilesSide = lazily(async () => (await import("./filesSide")).FilesSide);
const OverviewSide = lazily(async () => (await import("./overviewSide")).OverviewSide);

interface RightSidePanelProps {
  ref: Ref<HTMLDivElement>;
  workspace: Workspace;
  view: WorkspaceView;
}

/** The changes, the files or the overview of a workspace. In a wide window, it has the tabs of all three. */
export const RightSidePanel = ({ ref, workspace, view }: RightSidePanelProps) => (
  <div
    ref={ref}
    tabIndex={-1}
    className="flex min-h-0 min-w-0 flex-1 flex-col outline-none max-md:overflow-y-auto"
  >
    {view.wide && (
      <div className="flex min-h-10 items-end border-line border-b px-2">
        <TabBar label="Right side">
          <RightSideTabs wide={view.wide} />
        </TabBar>
        <MaximizeButton side="changes" view={view} />
      </div>
    )}
    <Suspense>
      {view.side === "changes" && <ChangesSide workspace={workspace} view={view} />}
      {view.side === "files" && <FilesSide workspace={workspace} view={view} />}
      {view.side === "overview" && <OverviewSide workspace={workspace} />}
    </Suspense>
  </div>
);
