import { CommandFailure } from "../errors";
import type { LocalWorkspace } from "../home/store";
import { findWorkspace, requireReady } from "../home/workspaces";
import { isThere } from "../lib/fileSystem";
import type { Tool } from "../tool";
import type { ToolDeps } from "./deps";
import { inspectWorkspace } from "./workspace/openWorkspace";

/** switch_workspace: makes a workspace the device's active one. */
export const switchWorkspaceTool = (deps: ToolDeps): Tool<"switch_workspace"> => ({
  async run({ workspaceId, name }, { signal }) {
    const wanted =
      workspaceId === undefined ? await findByName(deps, name ?? "") : await findWorkspace(deps, workspaceId);
    const workspace = await inspectWorkspace(deps, wanted, wanted.id, signal);
    signal.throwIfAborted();
    await deps.store.setActiveWorkspace(wanted.id);
    return { workspace };
  },
});

/**
 * @throws {CommandFailure} `workspace_not_found`, `workspace_busy`, `several_workspaces` if two projects have the name
 */
async function findByName({ store }: ToolDeps, name: string): Promise<LocalWorkspace> {
  const candidates = [];
  for (const workspace of await store.workspaces())
    if (workspace.name === name && (await isThere(workspace.path))) candidates.push(workspace);
  const [found, ...others] = candidates;
  if (!found)
    throw new CommandFailure(
      "workspace_not_found",
      `This device has no workspace "${name}". list_workspaces returns those it has.`,
    );
  if (others.length > 0)
    throw new CommandFailure(
      "several_workspaces",
      `Several workspaces on this device are called "${name}". Give the workspaceId of one: ${candidates
        .map(({ id, path }) => `${id} (${path})`)
        .join(", ")}.`,
    );
  requireReady(found);
  return found;
}
