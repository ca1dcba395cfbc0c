import { defineTool, ToolError } from "@grove/mcp";
import { taskCreateInput } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../apiSession";
import { resolveMember } from "../members";
import { settingStatus } from "../statuses";
import { changedTask, taskFields, taskId, toChangedTask, workFields } from "../tasks";

const clearable = [
  "description",
  "assignee",
  "labels",
  "dueDate",
  "estimate",
  "projectId",
  "branch",
  "prUrl",
] as const;

const input = z.strictObject({
  taskId,
  title: taskCreateInput.shape.title.optional().describe("Title"),
  ...taskFields,
  ...workFields,
  clear: z.array(z.enum(clearable)).optional().describe("Fields to empty"),
});

export const updateTask = defineTool({
  name: "update_task",
  title: "Update a task",
  description:
    "Changes the given fields of a task. Use it to set its status, assign it, or record its branch and pull request.",
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input,
  output: changedTask,
  async run({ taskId: reference, clear = [], assignee, ...fields }, context: ApiContext) {
    const given = Object.entries({ ...fields, assignee }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    if (given.length + clear.length === 0) throw nothingToChange(reference);
    const both = clear.find((name) => given.includes(name));
    if (both) throw givenAndCleared(both);
    return context.app.call(context, async (client, who, signal) => {
      const assigneeId = assignee && (await resolveMember(client, who, signal, assignee));
      const { organizationId } = who;
      const changes = { ...fields, assigneeId, ...emptied(clear) };
      const input = { organizationId, id: reference, ...changes };
      return settingStatus(client, who, signal, fields.status, async () =>
        toChangedTask(await client.task.update.mutate(input, { signal })),
      );
    });
  },
});

/** How the API expresses that a field is to be emptied. */
const emptied = (names: readonly (typeof clearable)[number][]) =>
  Object.fromEntries(
    names.map((name) => {
      if (name === "labels") return [name, []];
      return [name === "assignee" ? "assigneeId" : name, null];
    }),
  );

const nothingToChange = (reference: string) =>
  new ToolError(
    "nothing_to_change",
    `update_task was given no field of task ${JSON.stringify(reference)} to change`,
    "Give at least one field, or name one in clear.",
  );

const givenAndCleared = (name: string) =>
  new ToolError("invalid_input", `${name} is given, and named in clear too`, "Leave out one of the two.");
