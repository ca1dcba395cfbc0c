import type { Command } from "commander";
import { explainFailure } from "../cloud/deviceApi";
import { type Env, readEnv } from "../env";
import { type Pruned, prune } from "../tools/workspace/prune";
import { connect, personsContext, workspaceDeps } from "./connect";
import { answer, example } from "./usage";

interface Options {
  dryRun: boolean;
  json?: boolean;
}

/** `grove-device prune` */
export function addPruneCommand(program: Command): void {
  program
    .command("prune")
    .description(
      "Remove entries of deleted worktrees: on this machine, in git and in the cloud. Files are kept.",
    )
    .option("--dry-run", "only report what would be done", false)
    .option("--json", "as one line of JSON")
    .addHelpText("after", example("grove-device prune --dry-run"))
    .action((options) => run(readEnv(), options));
}

async function run(env: Env, { dryRun, json }: Options): Promise<void> {
  const connected = await connect(env);
  const { signal, progress } = personsContext();
  const pruned = await explainFailure(connected.apiUrl, async () => {
    const { device } = await connected.cloud.self();
    return prune(await workspaceDeps(env, connected), { deviceId: device.id, dryRun, progress, signal });
  });
  answer({ dryRun, ...pruned }, inWords(pruned, dryRun), json);
  if (pruned.failed.length > 0) process.exitCode = 1;
}

function inWords({ workspaces, inCloud, git, leftAlone, failed }: Pruned, dryRun: boolean): string {
  const does = dryRun ? "Would clear" : "Cleared";
  const lines = [
    ...workspaces.map(({ id, name, path }) => `${does} workspace ${name} (${id}): ${path} does not exist`),
    ...inCloud.map(({ id, name }) => `${does} from the cloud: ${name} (${id}) is not on this machine`),
    ...git.map(({ repository, line }) => `git in ${repository}: ${line}`),
    ...leftAlone.map(({ path, why }) => `Left alone: ${path}: ${why}`),
    ...failed.map((words) => `Failed: ${words}`),
  ];
  return lines.join("\n") || "Nothing to remove.";
}
