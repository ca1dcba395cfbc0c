import type { Command } from "commander";
import { chooseDataDir, dataDirOption } from "./commandLine";
import {
  checkWork,
  commitWork,
  markReady,
  type OpenPullOptions,
  openPull,
  pushWork,
  showPull,
  updateWork,
} from "./commands/pr";
import { addComment, listComments, sendComments } from "./commands/review";
import { undo } from "./commands/undo";
import { type Env, readEnv } from "./env";
import type { WorkspaceOptions } from "./local/workspace";

/** The options of a command. `--data-dir` may also be given before the name of a subcommand. */
function optionsOf<Options extends WorkspaceOptions>(command: Command, env: Env): Options {
  const { dataDir, ...options } = command.optsWithGlobals<Omit<Options, "dataDir"> & { dataDir?: string }>();
  return { ...options, dataDir: chooseDataDir(dataDir, env) } as Options;
}

/** Makes a command one on a workspace. */
const onWorkspace = <Options extends WorkspaceOptions>(
  command: Command,
  run: (workspace: string | undefined, options: Options, env: Env) => Promise<void>,
) =>
  command
    .argument("[workspace]", "its name or id (default: the one of the current directory)")
    .addOption(dataDirOption())
    .option("--json", "one line of JSON", false)
    .action((workspace: string | undefined, _options: unknown, self: Command) => {
      const env = readEnv();
      return run(workspace, optionsOf<Options>(self, env), env);
    });

/** Adds `undo`, `pr` and `review`. */
export function addWorkspaceCommands(program: Command): void {
  onWorkspace(program.command("undo"), undo)
    .description("list the restore points of a workspace, or give it the files of one")
    .option("--to <turn>", "restore this point: a turn's number, fork, or its commit")
    .option("--branch", "with --to: the branch also returns to the commit it was at", false);

  const pr = program
    .command("pr")
    .description("bring a workspace's work to a pull request")
    .addOption(dataDirOption());
  onWorkspace(pr.command("status", { isDefault: true }), showPull).description(
    "show how far the work has come, its checks, and the next step (the default)",
  );
  onWorkspace(pr.command("check"), checkWork).description(
    "run .grove/check of the base on the work; the exit code is 1 if it fails",
  );
  onWorkspace(pr.command("commit"), commitWork)
    .description("commit all files that git does not ignore")
    .option("-m, --message <text>", "the commit's message (default: one that names the files)");
  onWorkspace(pr.command("push"), pushWork).description("push the branch, without force");
  onWorkspace(pr.command("update"), updateWork)
    .description("merge the base's newest commits into the branch")
    .option("--rebase", "rebase the branch onto them instead", false);
  onWorkspace<OpenPullOptions>(pr.command("open"), openPull)
    .description("open the pull request of the pushed branch; approve and merge it in the console")
    .option("--title <text>", "its title (default: the workspace's name)")
    .option("--body <text>", "its description")
    .option("--base <branch>", "the branch to merge into (default: the workspace's base)")
    .option("--draft", "as a draft", false);
  onWorkspace(pr.command("ready"), markReady).description("mark the draft pull request as ready for review");

  const review = program
    .command("review")
    .description("comment on a workspace's changes, and send that to its agent")
    .addOption(dataDirOption());
  onWorkspace(review.command("list", { isDefault: true }), listComments).description(
    "list the comments with their states (the default)",
  );
  onWorkspace(review.command("send"), sendComments)
    .description("send all drafts to the workspace's agent, as one prompt")
    .option("--session <id>", "the agent's session, if several run");
  review
    .command("comment")
    .description("save a draft on lines, on a changed file, or on the whole change")
    .usage("[options] <place> <text>\n       grove review comment [options] --change <text>")
    .argument("[words...]", "place: src/login.ts:40-42, src/login.ts:40, or src/login.ts; text: the comment")
    .option("--change", "on the whole change: give only the text", false)
    .addOption(dataDirOption())
    .option("--workspace <name>", "its name or id (default: the one of the current directory)")
    .option("--before", "on the file as it was before the change", false)
    .option("--json", "one line of JSON", false)
    .action((words: string[], _options: unknown, self: Command) => {
      const env = readEnv();
      return addComment(words, optionsOf(self, env), env);
    });
}
