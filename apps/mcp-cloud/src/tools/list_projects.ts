import { defineTool } from "@grove/mcp";
import { id, type Project, type ProjectOnDevice } from "@grove/schemas";
import * as z from "zod";
import type { ApiContext } from "../api/apiSession";
import { pending } from "../api/outcome";
import { runOnDevice } from "../api/runOnDevice";
import { after, pageFields, pageOf, readAll } from "../shared/pages";

export const listProjects = defineTool({
  name: "list_projects",
  title: "List projects",
  description:
    "Lists the projects (git repositories) of your organization or, with a deviceId, those on that device and their path. Use it to find a projectId.",
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    deviceId: id.optional().describe("Only those on this device"),
    search: z.string().trim().min(1).max(200).optional().describe("Text in name or slug"),
    after,
  }),
  output: z.strictObject({
    deviceId: id.optional(),
    projects: z
      .array(
        z.strictObject({
          id,
          name: z.string(),
          slug: z.string(),
          defaultBranch: z.string(),
          repoUrl: z.string().optional(),
          path: z.string().optional(),
          problem: z.string().optional(),
        }),
      )
      .optional(),
    total: pageFields.total.optional(),
    next: pageFields.next.optional(),
    pending,
  }),
  async run({ deviceId, search, after: afterId }, context: ApiContext) {
    if (deviceId === undefined) {
      const { page, ...rest } = pageOf(matching(await readProjects(context), search), afterId);
      return { projects: page.map((project) => ({ ...common(project), repoUrl: project.repoUrl })), ...rest };
    }
    const params = search === undefined ? {} : { search };
    const { result, pending } = await runOnDevice(context, deviceId, "list_projects", params);
    if (!result) return { deviceId, pending };
    const { page, ...rest } = pageOf(result.projects, afterId);
    return {
      deviceId,
      projects: page.map((project) => ({
        ...common(project),
        path: project.path,
        problem: project.problem,
      })),
      ...rest,
    };
  },
});

const readProjects = (context: ApiContext): Promise<Project[]> =>
  context.app.call(context, (client, { organizationId }, signal) =>
    readAll((page) => client.project.list.query({ organizationId, ...page }, { signal })),
  );

function matching(projects: readonly Project[], search: string | undefined): readonly Project[] {
  if (search === undefined) return projects;
  const wanted = search.toLowerCase();
  return projects.filter(({ name, slug }) =>
    [name, slug].some((text) => text.toLowerCase().includes(wanted)),
  );
}

const common = ({ id, name, slug, defaultBranch }: Project | ProjectOnDevice) => ({
  id,
  name,
  slug,
  defaultBranch,
});
