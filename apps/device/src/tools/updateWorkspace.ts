import { messageOf, type WorkspaceRenamed } from "@grove/schemas";
import { retry } from "@grove/signals/retry";
import * as z from "zod";
import { codeOf, isTransient, reasonOf } from "../cloud/deviceApi";
import { apiRetryOptions } from "../cloud/retryOptions";
import { CommandFailure, toCommandError } from "../errors";
import { findWorkspace } from "../home/workspaces";
import { isThere } from "../lib/fileSystem";
import type { Tool, ToolContext } from "../tool";
import type { ToolDeps } from "./deps";

/** The journal's note of a rename that is about to begin. */
const renameNote = z.object({ id: z.string(), name: z.string() });

/**
 * update_workspace: renames workspaces, in the cloud and here. Directory and branch keep their names. Items are renamed
 * one after another. A failure does not stop the others.
 */
export const updateWorkspaceTool = (deps: ToolDeps): Tool<"update_workspace"> => ({
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
        const localWorkspace = await deps.store.workspace(workspaceId).catch(() => undefined);
        workspaces.push({
          id: workspaceId,
          name: localWorkspace?.name ?? null,
          error: toCommandError(error),
        });
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

/** @throws {CommandFailure} `cloud_unreachable`, or the API's reason for refusing. The old name then stays */
async function rename(deps: ToolDeps, id: string, name: string, signal: AbortSignal): Promise<void> {
  const { cloud, organizationId, store } = deps;
  try {
    await retry(() => cloud.updateWorkspace({ organizationId, id, name }), { ...apiRetryOptions, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    // A workspace whose entry was deleted in the cloud still exists on this machine, under the name stored here.
    if (codeOf(error) !== "NOT_FOUND")
      throw new CommandFailure(
        isTransient(error) ? "cloud_unreachable" : (reasonOf(error) ?? "rename_refused"),
        `The workspace could not be renamed in the cloud: ${messageOf(error)}`,
      );
  }
  const current = await store.workspace(id);
  if (current) await store.saveWorkspace({ ...current, name });
}

/** Completes renames that the API has stored and a crash kept from this machine. The last requested name wins. */
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
  const messages: string[] = [];
  for (const [id, name] of names) {
    await rename(deps, id, name, signal);
    messages.push(`Workspace ${id} is now called "${name}".`);
  }
  return messages.length > 0 ? `${messages.join(" ")} Nothing else was done.` : "Nothing was done.";
}
