import { isRepository } from "../../git/locate";
import { withInstalledNames } from "../../lib/commandNames";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { missingAt } from "./repository";

/**
 * list_projects: lists the projects of this machine. One whose repository was moved or deleted is listed with that
 * problem. A missing clone of the agent's own is left out: it is cloned again when it is needed.
 */
export const listProjectsTool = ({ store }: ToolDeps): Tool<"list_projects"> => ({
  async run({ search }) {
    const wanted = search?.toLowerCase() ?? "";
    const projects = [];
    for (const { id, name, slug, path, defaultBranch, cloned } of await store.projects()) {
      const matches = name.toLowerCase().includes(wanted) || slug.toLowerCase().includes(wanted);
      if (!matches) continue;
      const found = { id, name, slug, path, defaultBranch };
      if (await isRepository(path)) projects.push(found);
      else if (!cloned) projects.push({ ...found, problem: withInstalledNames(missingAt(found)) });
    }
    return { projects };
  },
});
