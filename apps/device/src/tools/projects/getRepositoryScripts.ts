import { scriptName } from "@grove/schemas";
import { findBase, readRefs } from "../../git/refs";
import { readConfig } from "../../home/config";
import { lastScriptRun } from "../../home/scriptRuns";
import { isThere } from "../../lib/fileSystem";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { requireLocalRepository } from "./repository";
import { findScript, scriptPath } from "./repositoryScript";

/** get_repository_scripts: reads whether the scripts of a repository run on this machine, and how they ended last. */
export const getRepositoryScriptsTool = ({ store, git, home }: ToolDeps): Tool<"get_repository_scripts"> => ({
  async run({ projectId }, { signal }) {
    const { path: repository, defaultBranch, cloned } = await requireLocalRepository({ store }, projectId);
    const { allowRepositoryScripts } = await readConfig(home);
    const base = await findBase(git, repository, await readRefs(git, repository), {
      wanted: undefined,
      defaultBranch,
      remoteFirst: cloned,
    });
    const scripts = scriptName.options.map(async (name) => {
      const found = await findScript({ git, home }, name, { repository, commit: base.commit }, signal);
      return {
        name,
        path: scriptPath(name),
        exists: found !== undefined,
        lastRun: await lastScriptRun(home, projectId, name),
      };
    });
    return {
      allowed: allowRepositoryScripts,
      configFile: home.configFile,
      configFileExists: await isThere(home.configFile),
      base: base.name,
      scripts: await Promise.all(scripts),
    };
  },
});
