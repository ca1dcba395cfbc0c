import { isRepository } from "../git/locate";
import type { ToolDeps } from "./deps";
import type { Tool } from "./tool";

/** list_projects: lists the projects whose repository is on this machine. */
export const listProjects = ({ store }: ToolDeps): Tool<"list_projects"> => ({
  async run({ search }) {
    const wanted = search?.toLowerCase() ?? "";
    const projects = [];
    for (const { id, name, slug, path, defaultBranch } of await store.projects()) {
      const matches = name.toLowerCase().includes(wanted) || slug.toLowerCase().includes(wanted);
      if (matches && (await isRepository(path))) projects.push({ id, name, slug, path, defaultBranch });
    }
    return { projects };
  },
});
