import { SHELL_AGENT, type Workspace } from "@grove/schemas";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus, SquareTerminal } from "lucide-react";
import { SessionState } from "../../components/sessionState";
import { useOrganization } from "../../hooks/useOrganization";
import { useStartSession } from "../../hooks/useStartSession";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { Button, buttonClass } from "../../ui/button";
import { Problem } from "../../ui/problem";
import { TabBar } from "../../ui/tabBar";
import { tabClass } from "../../ui/tabClass";
import { VisibleName } from "../../ui/visibleName";
import type { WorkspaceSearch } from "../workspaceSearch";
import { MaximizeButton } from "./maximizeButton";
import { withView } from "./pageLayout";
import { RightSideTabs } from "./rightSideTabs";
import type { SessionTab } from "./sessionTabs";
import type { WorkspaceView } from "./useWorkspaceView";

interface TabStripProps {
  workspace: Workspace;
  view: WorkspaceView;
  tabs: readonly SessionTab[];
  isOnline: boolean;
}

/** In a narrow window the tabs of the right side; the sessions, and the ways to start one. */
export function TabStrip({ workspace, view, tabs, isOnline }: TabStripProps) {
  const { slug: organization } = useOrganization();
  const navigate = useNavigate();
  const { wide, openSession } = view;
  const terminal = useStartSession(openSession);
  const startTerminal = () => {
    // It may appear before the answer arrives.
    view.focusTerminal();
    terminal.mutate({
      deviceId: workspace.deviceId ?? "",
      params: { workspaceId: workspace.id, agent: SHELL_AGENT },
    });
  };
  const only = wide ? view.only : undefined;
  const form = {
    to: "/o/$organization/agents/new",
    params: { organization },
    search: { workspace: workspace.id },
  } as const;
  useShortcuts({
    title: "Workspace",
    // Below the page's shortcuts: in the changes, the same key asks an agent about the selected lines.
    scope: "everywhere",
    shortcuts: [{ keys: "a", title: "Start an agent in this workspace", run: () => void navigate(form) }],
  });
  const linkTo = (name: string) =>
    ({
      from: "/o/$organization/workspaces/$workspaceId",
      to: ".",
      search: (previous: WorkspaceSearch) => {
        const { side, ...others } = previous;
        // The initial tab is not in the URL.
        return withView(
          { ...others, ...(wide && side && { side }) },
          { tab: name === view.tab ? previous.tab : name, only },
        );
      },
      hash: () => location.hash.slice(1),
      resetScroll: false,
      activeOptions: { exact: true },
      className: tabClass,
    }) as const;
  return (
    <>
      <div className="flex flex-wrap items-end gap-x-2 border-line border-b px-2">
        <TabBar label="Workspace">
          {!wide && <RightSideTabs wide={wide} />}
          {tabs.map(({ session, label }) => (
            <Link key={session.id} {...linkTo(session.id)} onClick={view.focusTerminal}>
              <VisibleName>{label}</VisibleName>
              <SessionState session={session} />
            </Link>
          ))}
        </TabBar>
        <div className="flex grow flex-wrap items-center gap-2 py-1">
          <Button busy={terminal.isPending} disabled={!isOnline} onClick={startTerminal}>
            <SquareTerminal aria-hidden="true" className="size-4" />
            Terminal
          </Button>
          <Link {...form} className={buttonClass("primary")}>
            <Plus aria-hidden="true" className="size-4" />
            Start an agent
          </Link>
          {wide && <MaximizeButton side="terminals" view={view} />}
        </div>
      </div>
      {terminal.error && <Problem title="Could not start a terminal." error={terminal.error} />}
    </>
  );
}
