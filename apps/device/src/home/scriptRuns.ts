import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ScriptName, type ScriptRun, scriptRun } from "@grove/schemas";
import { isThere, readIfThere, writeFileAtomic } from "../lib/fileSystem";
import type { Home } from "./home";

const fileOf = ({ scriptRunsDir }: Home, projectId: string, name: ScriptName): string =>
  join(scriptRunsDir, `${projectId}.${name}.json`);

/** Keeps the last run of a project's script, in place of the one before. */
export const saveScriptRun = (
  home: Home,
  projectId: string,
  name: ScriptName,
  run: ScriptRun,
): Promise<void> => writeFileAtomic(fileOf(home, projectId, name), `${JSON.stringify(run)}\n`);

/** The last run of a project's script on this machine; null if there was none or its file is damaged. */
export async function lastScriptRun(
  home: Home,
  projectId: string,
  name: ScriptName,
): Promise<ScriptRun | null> {
  const content = await readIfThere(fileOf(home, projectId, name));
  if (content === undefined) return null;
  try {
    return scriptRun.parse(JSON.parse(content));
  } catch {
    return null;
  }
}

/** Removes the runs of projects that are no longer on this machine. */
export async function pruneScriptRuns({ scriptRunsDir, projectsDir }: Home): Promise<void> {
  for (const file of await readdir(scriptRunsDir)) {
    const [projectId] = file.split(".");
    if (!(await isThere(join(projectsDir, `${projectId}.json`)))) await rm(join(scriptRunsDir, file));
  }
}
