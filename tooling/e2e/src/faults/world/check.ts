import { readdir } from "node:fs/promises";
import { allOf } from "@grove/client";
import { type CommandError, deviceTools, isSettled } from "@grove/schemas";
import { until } from "@grove/testing/until";
import type { Asked, Command } from "./caller";
import type { Cloud } from "./cloud";
import type { Project } from "./device";
import { Work } from "./work";

/**
 * Compares the callers' answers and the cloud's list of workspaces with the disk.
 * @returns one line per problem
 */
export async function check(cloud: Cloud, asked: readonly Asked[]): Promise<string[]> {
  const wrong = await checkCommands(cloud, asked);
  for (const project of new Set(asked.map((one) => one.project)))
    wrong.push(...(await checkProject(cloud, project)));
  return wrong;
}

/**
 * Compares the callers' answers with the disk.
 * @returns one line per problem
 */
export async function checkCommands(cloud: Cloud, asked: readonly Asked[]): Promise<string[]> {
  const commands = new Map<Asked, Command | undefined>();
  for (const one of asked) commands.set(one, await untilReported(cloud, one));
  const wrong: string[] = [];
  for (const project of new Set(asked.map((one) => one.project))) {
    const effects = await project.work.effects();
    const startedWork = await project.work.begun();
    for (const one of asked.filter((other) => other.project === project)) {
      const times = startedWork.filter((n) => n === one.n).length;
      const lines = checkOne(one, commands.get(one), effects.get(one.n)?.paths ?? []);
      if (times > 1) lines.push(`was begun ${times} times`);
      wrong.push(...lines.map((line) => `work ${one.n}, command ${one.commandId}: ${line}`));
    }
  }
  return wrong;
}

/** Waits until a command is settled and its device's report has arrived; undefined if there is no command. */
async function untilReported(cloud: Cloud, asked: Asked): Promise<Command | undefined> {
  if (asked.mayBeUnanswered) asked.commandId ??= await idOf(cloud, asked);
  const { organizationId } = cloud;
  const id = asked.commandId;
  if (id === undefined) return undefined;
  const read = () => cloud.client().agent.getCommand.query({ organizationId, id });
  if (!asked.answer)
    await until(async () => isSettled((await read()).status), "it is settled").catch(() => undefined);
  // The device repeats the report until it is answered, with pauses of half a minute.
  if (isAwaited(asked, await read()))
    await until(async () => !isUnheard(await read()), "it was reported").catch(() => undefined);
  return read();
}

/** Whether the cloud has settled a command that its device has ended as well, and so reports. */
const isAwaited = ({ project }: Asked, command: Command): boolean =>
  wasGivenUp(command) && project.device.hasEnded(command.id);

function checkOne(asked: Asked, now: Command | undefined, paths: string[]): string[] {
  if (asked.refusal !== undefined)
    return paths.length === 0 ? [] : [`was refused (${asked.refusal}), and was done`];
  if (!asked.mayBeUnanswered && !asked.answer) return ["its caller was never answered"];
  if (!now) return paths.length === 0 ? [] : ["there is no such command, and it was done"];
  const wrong = [];
  if (isAwaited(asked, now) && isUnheard(now))
    wrong.push(`is ${now.status}, and what its device reported was dropped`);
  if (!isSettled(now.status)) wrong.push(`is ${now.status}`);
  // The journal that has a lost command may still report how it ended; nothing else ever changes.
  const answered = asked.answer?.status ?? now.status;
  if (now.status !== answered && answered !== "lost")
    wrong.push(`its caller got ${answered}, and it is ${now.status}`);
  if (asked.other && asked.other.id !== now.id)
    wrong.push(`the other caller with its key got command ${asked.other.id}`);
  if (paths.length > 1) wrong.push(`was done ${paths.length} times: ${paths.join(", ")}`);
  const claimed = claimedCount(now);
  if (claimed !== undefined && claimed !== paths.length)
    wrong.push(
      `${now.status} (${now.error?.reason}: ${now.error?.message}) says ${claimed}, the disk has ${paths.length}; late: ${JSON.stringify(now.lateResult)}`,
    );
  const path = madePath(now.result);
  if (path !== undefined && !paths.includes(path)) wrong.push(`says ${path}, and the disk has ${paths}`);
  return wrong;
}

/** The id of a command whose caller never learned it; undefined if no row was made. */
async function idOf(cloud: Cloud, { n, project }: Asked): Promise<string | undefined> {
  const rows = await cloud.query(
    `select id from device_commands where params ->> 'projectId' = $1
      and params -> 'workspaces' -> 0 ->> 'baseBranch' = $2`,
    [project.id, Work.base(n)],
  );
  const id: unknown = rows[0]?.id;
  return typeof id === "string" ? id : undefined;
}

/** Whether the cloud has settled the command without its device's report, and would still keep that report. */
const wasGivenUp = ({ status, error }: Command): boolean =>
  ["timed_out", "expired", "lost"].includes(status)
    ? !["device_replaced", "device_revoked"].includes(error?.reason ?? "") && !isDeviceReport(error)
    : error?.reason === "not_started";

/** Whether an error is the device's own report, which names what the ended command left on its disk. */
const isDeviceReport = (error: Command["error"]): boolean => error?.created !== undefined;

const isUnheard = (command: Command): boolean => wasGivenUp(command) && command.lateResult === null;

/** How many worktrees a settled command's answer claims; undefined if the answer does not claim to know. */
function claimedCount(command: Command): number | undefined {
  const { status, result, error } = command;
  switch (status) {
    case "succeeded":
      return madePath(result) === undefined ? 0 : 1;
    case "failed":
      if (error?.reason === "not_started") return lateClaimedCount(command);
      return error?.created?.length ?? 0;
    case "timed_out":
      // The device's own report, which it sends once all is undone; otherwise the cloud's.
      return error?.created?.length ?? lateClaimedCount(command);
    case "canceled":
      return lateClaimedCount(command) ?? 0;
    case "expired":
      return command.attempt === 0 ? 0 : (error?.created?.length ?? lateClaimedCount(command));
    default:
      return lateClaimedCount(command);
  }
}

/** Returns that number for the device's late report of a command that was settled without one. */
function lateClaimedCount({ lateResult }: Command): number | undefined {
  const late = lateResult as { result?: unknown; error?: CommandError; canceled?: true } | null;
  if (late?.result !== undefined) return madePath(late.result) === undefined ? 0 : 1;
  if (late?.error) return late.error.created?.length ?? 0;
  return late?.canceled ? 0 : undefined;
}

function madePath(result: unknown): string | undefined {
  const parsed = deviceTools.create_workspace.result.safeParse(result);
  return parsed.data?.workspaces[0]?.path;
}

/** Checks that nothing half-made is left, and that the cloud lists exactly the workspaces that exist. */
async function checkProject(cloud: Cloud, project: Project): Promise<string[]> {
  const wrong: string[] = [];
  const paths = [...(await project.work.effects()).values()].flatMap(({ paths }) => paths);
  const directories = (
    await Promise.all(project.worktrees.map((path) => readdir(path).catch(() => [])))
  ).flat();
  if (directories.length !== paths.length)
    wrong.push(
      `${directories.length} directories in ${project.worktrees.join(" and ")}, ${paths.length} worktrees in git`,
    );
  const branches = await project.work.branches();
  if (branches.length !== paths.length)
    wrong.push(
      `${project.work.path} has ${branches.length} branches for ${paths.length} worktrees: ${branches} for ${paths}`,
    );
  const { organizationId } = cloud;
  const list = cloud.client().workspace.list;
  const readRecorded = async () => {
    const recorded: string[] = [];
    for await (const { config } of allOf((page) =>
      list.query({ organizationId, projectId: project.id, ...page }),
    ))
      recorded.push(`${config.path}`);
    return recorded;
  };
  const staleOf = (recorded: string[]) => recorded.filter((path) => !paths.includes(path));
  // A device that could not remove a record while the cloud was unreachable removes it later.
  await until(
    async () => staleOf(await readRecorded()).length === 0,
    "the cloud lists only worktrees that exist",
    40_000,
  ).catch(() => undefined);
  const recorded = await readRecorded();
  const unlisted = paths.filter((path) => !recorded.includes(path));
  const stale = staleOf(recorded);
  if (unlisted.length > 0) wrong.push(`the cloud does not list ${unlisted.join(", ")}`);
  if (stale.length > 0) wrong.push(`the cloud lists worktrees that do not exist: ${stale.join(", ")}`);
  return wrong;
}
