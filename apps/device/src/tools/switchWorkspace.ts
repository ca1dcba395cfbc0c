import { ToolError } from "../errors";
import { isThere } from "../home/home";
import type { LocalWorkspace } from "../home/store";
import type { ToolParts } from "./deps";
import type { Tool } from "./tool";
import { findWorkspace, inspectWorkspace, requireReady } from "./workspace/onDevice";

/** switch_workspace: makes a workspace the device's active one. */
export const switchWorkspace = (parts: ToolParts): Tool<"switch_workspace"> => ({
  async run({ workspaceId, name }, { signal }) {
    const wanted =
      workspaceId === undefined
        ? await findByName(parts, name ?? "")
        : await findWorkspace(parts, workspaceId);
    const workspace = await inspectWorkspace(parts, wanted, wanted.id, signal);
    signal.throwIfAborted();
    await parts.store.setActiveWorkspace(wanted.id);
    return { workspace };
  },
});

/** @throws {ToolError} `workspace_not_found`, `workspace_busy`, `several_workspaces` if two projects have the name */
async function findByName({ store }: ToolParts, name: string): Promise<LocalWorkspace> {
  const standing = [];
  for (const workspace of await store.workspaces())
    if (workspace.name === name && (await isThere(workspace.path))) standing.push(workspace);
  const [found, ...others] = standing;
  if (!found)
    throw new ToolError(
      "workspace_not_found",
      `This device has no workspace "${name}". list_workspaces returns those it has.`,
    );
  if (others.length > 0)
    throw new ToolError(
      "several_workspaces",
      `Several workspaces on this device are called "${name}". Give the workspaceId of one: ${standing
        .map(({ id, path }) => `${id} (${path})`)
        .join(", ")}.`,
    );
  requireReady(found);
  return found;
}
