import { defineTool } from "@grove/mcp";
import { id, line, role } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { readMembers } from "../shared/members";
import { after, limit, pageFields, pageOf } from "../shared/pages";

export const listMembers = defineTool({
  name: "list_members",
  title: "List members",
  description: "Lists the people of your organization. Use it to find whom to assign a task to.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    search: line(200).optional().describe("Text in name or email"),
    limit,
    after,
  }),
  output: z.strictObject({
    members: z.array(z.strictObject({ userId: id, name: z.string(), email: z.string(), role })),
    ...pageFields,
  }),
  async run({ search = "", limit: size, after: afterId }, context: ApiContext) {
    return context.app.call(context, async (client, identity, signal) => {
      const wanted = search.toLowerCase();
      const members = await readMembers(client, identity, signal);
      const found = members.filter(({ name, email }) =>
        [name, email].some((text) => text.toLowerCase().includes(wanted)),
      );
      const { page, ...rest } = pageOf(found, afterId, size);
      return {
        members: page.map(({ userId, name, email, role }) => ({ userId, name, email, role })),
        ...rest,
      };
    });
  },
});
