import type { WorkspaceRenamed } from "@grove/schemas";
import * as z from "zod";
import { retry } from "../cloud/backoff";
import { codeOf, isTransient, reasonOf } from "../cloud/deviceApi";
import { CommandFailure, toCommandError } from "../errors";
import { isThere } from "../home/home";
import type { ToolDeps } from "./deps";
import { CLOUD_PATIENCE } from "./repository";
import type { Tool, ToolContext } from "./tool";
import { findWorkspace } from "./workspace/onDevice";

/** The journal's note of a rename that is about to begin. */
const renameNote = z.object({ id: z.string(), name: z.string() });

/**
 * update_workspace: renames workspaces, in the cloud and here. Directory and branch keep their names. Items are renamed
 * one after another; one that fails does not stop the others.
 */
export const updateWorkspace = (deps: ToolDeps): Tool<"update_workspace"> => ({
  async run({ updates }, context) {
    const workspaces: WorkspaceRenamed[] = [];
    for (const { workspaceId, name } of updates) {
      try {
        const current = await findWorkspace(deps, workspaceId);
        if (current.name !== name) {
          await requireFreeName(deps, current, name);
          await context.note({ id: workspaceId, name });
          await rename(deps, workspaceId, name, context.signal);
        }
        workspaces.push({ id: workspaceId, name });
      } catch (error) {
        context.signal.throwIfAborted();
        const standing = await deps.store.workspace(workspaceId).catch(() => undefined);
        workspaces.push({ id: workspaceId, name: standing?.name ?? null, error: toCommandError(error) });
      }
    }
    return { workspaces };
  },
  recover: (notes, context) => recoverRenames(deps, notes, context),
});

/** @throws {CommandFailure} `name_taken`, since a name identifies one workspace within a project */
async function requireFreeName(
  { store }: ToolDeps,
  { id, projectId }: { id: string; projectId: string },
  name: string,
): Promise<void> {
  for (const other of await store.workspaces())
    if (
      other.id !== id &&
      other.projectId === projectId &&
      other.name === name &&
      (await isThere(other.path))
    )
      throw new CommandFailure(
        "name_taken",
        `Another workspace of this project on the device is called "${name}" (${other.id}). Choose another name.`,
      );
}

/** @throws {CommandFailure} `cloud_unreachable`, or the cloud's reason for refusing. The old name then stays */
async function rename(deps: ToolDeps, id: string, name: string, signal: AbortSignal): Promise<void> {
  const { cloud, organizationId, store } = deps;
  try {
    await retry(() => cloud.updateWorkspace({ organizationId, id, name }), { ...CLOUD_PATIENCE, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    // A workspace whose entry was deleted in the cloud still stands on this machine, and has a name here.
    if (codeOf(error) !== "NOT_FOUND")
      throw new CommandFailure(
        isTransient(error) ? "cloud_unreachable" : (reasonOf(error) ?? "rename_refused"),
        `The workspace could not be renamed in the cloud: ${(error as Error).message}`,
      );
  }
  const current = await store.workspace(id);
  if (current) await store.saveWorkspace({ ...current, name });
}

/** Finishes renames that a crash cut off between the cloud and this machine. The last requested name wins. */
async function recoverRenames(
  deps: ToolDeps,
  notes: readonly unknown[],
  { signal }: Pick<ToolContext, "signal">,
): Promise<string> {
  const names = new Map(
    notes.flatMap((note) => {
      const { data } = renameNote.safeParse(note);
      return data ? [[data.id, data.name] as const] : [];
    }),
  );
  const said: string[] = [];
  for (const [id, name] of names) {
    await rename(deps, id, name, signal);
    said.push(`Workspace ${id} is now called "${name}".`);
  }
  return said.length > 0 ? `${said.join(" ")} Nothing else was done.` : "Nothing was done.";
}
