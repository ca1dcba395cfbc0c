import { deviceTools, type WorkspaceMade } from "@grove/schemas";
import { createWorkspaceTool } from "../tools/createWorkspace";
import { deleteWorkspaceTool } from "../tools/deleteWorkspace";
import { startTestDevice, type TestDevice, testContext } from "./deps";

export type Made = Required<Pick<WorkspaceMade, "id" | "name" | "path" | "branch">>;
type Params = { force?: boolean; deleteBranch?: boolean };

export async function make(device: TestDevice, projectId: string, name: string): Promise<Made> {
  const { workspaces } = await createWorkspaceTool(device).run(
    { projectId, workspaces: [{ name }] },
    testContext(),
  );
  return workspaces[0] as Made;
}

export async function setUp(names: string[], options: Parameters<TestDevice["addRepository"]>[1] = {}) {
  const device = await startTestDevice();
  const { id, path } = await device.addRepository("app", options);
  const made: Made[] = [];
  for (const name of names) made.push(await make(device, id, name));
  return { device, projectId: id, repository: path, made, ids: made.map((one) => one.id) };
}

export async function remove(
  device: TestDevice,
  workspaceIds: string[],
  params: Params = {},
  context = testContext(),
) {
  const parsed = deviceTools.delete_workspace.params.parse({ workspaceIds, ...params });
  const result = await deleteWorkspaceTool(device).run(parsed, context);
  return deviceTools.delete_workspace.result.parse(result).workspaces;
}
