import { randomUUID } from "node:crypto";
import { defineTool, ToolError } from "@grove/mcp";
import { taskAddCommentInput, taskCreateInput } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { resolveMember } from "../shared/members";
import { settingStatus } from "../shared/statuses";
import { changedTask, taskFields, taskId, toChangedTask, workFields } from "../shared/tasks";

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
  comment: taskAddCommentInput.shape.body.optional().describe("Markdown"),
  clear: z.array(z.enum(clearable)).optional().describe("Fields to empty"),
});

export const updateTask = defineTool({
  name: "update_task",
  title: "Update a task",
  description:
    "Changes the given fields of a task, or comments on it. Use it to set its status, or to report on the work.",
  // A repeated call adds the comment again.
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  input,
  output: changedTask,
  async run({ taskId: reference, clear = [], assignee, comment, ...fields }, context: ApiContext) {
    const setFields = Object.entries({ ...fields, assignee }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    const isChanged = setFields.length + clear.length > 0;
    if (!isChanged && comment === undefined) throw nothingToChange(reference);
    const both = clear.find((name) => setFields.includes(name));
    if (both) throw givenAndCleared(both);
    // One id for all tries of the call: if a response is lost, the comment is still added once.
    const commentId = randomUUID();
    return context.app.call(context, async (client, identity, signal) => {
      const assigneeId = assignee && (await resolveMember(client, identity, signal, assignee));
      const { organizationId } = identity;
      const which = { organizationId, id: reference };
      const changes = { ...fields, assigneeId, ...emptied(clear) };
      const task = isChanged
        ? await settingStatus(client, identity, signal, fields.status, () =>
            client.task.update.mutate({ ...which, ...changes }, { signal }),
          )
        : await client.task.get.query(which, { signal });
      if (comment !== undefined)
        await client.task.addComment.mutate({ ...which, body: comment, commentId }, { signal });
      return toChangedTask(task);
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
