import { isTransient, reasonOf } from "../../cloud/deviceApi";
import { CommandFailure } from "../../errors";
import { addProject } from "../../home/projects";
import { absolutePath } from "../../home/userPath";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { requireOwner } from "../requireOwner";

/** add_project: does what `grove-device project add` does, for the device's owner. */
export const addProjectTool = (deps: ToolDeps): Tool<"add_project"> => ({
  async run({ path }, { requester }) {
    await requireOwner(requester, "add projects of its directories");
    const { project, alreadyAdded, warnings } = await addProject(
      deps,
      absolutePath(path, deps.programEnv),
      {},
    ).catch((error: unknown) => {
      throw refusal(error);
    });
    const { id, name, slug, path: root, defaultBranch } = project;
    return { project: { id, name, slug, path: root, defaultBranch }, alreadyAdded, warnings };
  },
});

function refusal(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "TRPCClientError") return error;
  return new CommandFailure(
    isTransient(error) ? "cloud_unreachable" : (reasonOf(error) ?? "project_refused"),
    `The project could not be added in the cloud: ${error.message}`,
  );
}
