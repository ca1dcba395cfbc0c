import type { Device, Workspace } from "@grove/schemas";
import { Link, linkOptions, useNavigate } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useOrganization } from "../../hooks/useOrganization";
import { useShortcuts } from "../../shortcuts/useShortcuts";
import { buttonClass } from "../../ui/button";
import { OpenInEditor } from "../openInEditor";
import { RenameButton } from "../renameButton";
import { configOf } from "../workspaceRows";

interface WorkspaceActionsProps {
  workspace: Workspace;
  device: Device | undefined;
}

export function WorkspaceActions({ workspace, device }: WorkspaceActionsProps) {
  const { slug: organization } = useOrganization();
  const { path } = configOf(workspace);
  const navigate = useNavigate();
  const deletePage = linkOptions({
    to: "/o/$organization/workspaces/$workspaceId/delete",
    params: { organization, workspaceId: workspace.id },
  });
  useShortcuts({
    title: "Workspace",
    scope: "page",
    shortcuts: [],
    actions: [{ title: "Delete the workspace", run: () => void navigate(deletePage) }],
  });
  return (
    <div className="ml-auto flex flex-wrap items-center gap-2">
      {path !== undefined && <OpenInEditor path={path} device={device} />}
      <RenameButton workspace={workspace} device={device} />
      <Link {...deletePage} className={buttonClass()}>
        <Trash2 aria-hidden="true" className="size-4" />
        <span className="max-sm:sr-only">Delete</span>
      </Link>
    </div>
  );
}
