import { randomUUID } from "node:crypto";
import {
  type Anchor,
  deviceTools,
  type ReviewClaim,
  type ReviewComment,
  type ReviewRound,
  type WorkspaceDiff,
} from "@grove/schemas";
import type { Env } from "../env";
import { UserError } from "../errors";
import { type OpenWorkspace, type WorkspaceOptions, withWorkspace } from "../local/workspace";
import { print, printJson } from "../print";

/** How long the machine may take to read a file's changes. */
const DIFF_WAIT_MS = 30_000;

/**
 * `grove review [workspace]`: lists the comments on a workspace's change, with their states. Without a workspace, it is
 * the one of the current directory, as for the other commands of `review`.
 * @throws {UserError} with the API's reason, as the other commands of `review`
 */
export const listComments = (wanted: string | undefined, { dataDir, json }: WorkspaceOptions, env: Env) =>
  withWorkspace(wanted, dataDir, env, async (open) => {
    const review = await open.client.workspace.review.list.query(await changeOf(open));
    if (json) printJson(review);
    else print(reviewText(review, open));
  });

/** `grove review comment <file>:<line>[-<line>] <text>`: saves a draft on lines as they are now. */
export const addComment = (
  place: string,
  body: string,
  { dataDir, json, workspace: wanted, before }: WorkspaceOptions & { workspace?: string; before: boolean },
  env: Env,
) => {
  const { path, from, to } = parsePlace(place);
  return withWorkspace(wanted, dataDir, env, async (open) => {
    const of = await changeOf(open);
    const anchor = await anchorOf(open, { path, from, to, side: before ? "before" : "after" });
    const comment = await open.client.workspace.review.save.mutate({ ...of, id: randomUUID(), anchor, body });
    if (json) printJson(comment);
    else
      print(
        `Saved as a draft. Send all drafts with: ${open.command("review", "send", open.workspace.name)}\n`,
      );
  });
};

/** `grove review send [workspace]`: sends all drafts to the workspace's agent, as one prompt. */
export const sendComments = (
  wanted: string | undefined,
  { dataDir, json, session }: WorkspaceOptions & { session?: string },
  env: Env,
) =>
  withWorkspace(wanted, dataDir, env, async (open) => {
    const of = await changeOf(open);
    const sessionId = session ?? (await onlyAgent(open));
    const round = await open.client.workspace.review.send.mutate({ ...of, sessionId });
    if (json) return printJson(round);
    if (round.status !== "delivered")
      throw new UserError(
        `The agent did not get the comments: ${round.status}${round.reason ? ` (${round.reason})` : ""}.`,
      );
    print(`Sent as round ${round.number}.\n`);
  });

async function changeOf({ client, ids }: OpenWorkspace) {
  const [change] = await client.workspace.change.list.query({ ...ids, limit: 1 });
  if (!change)
    throw new UserError(
      "Could not find a change for this workspace: it was created on its project's default branch, or on no branch. Create a workspace on another branch.",
    );
  return { organizationId: ids.organizationId, changeId: change.id };
}

/** @throws {UserError} */
function parsePlace(place: string): Pick<Anchor, "path" | "from" | "to"> {
  const [, path = "", from = "", to = from] = /^(.+):(\d+)(?:-(\d+))?$/.exec(place) ?? [];
  if (path === "" || Number(from) < 1 || Number(to) < Number(from))
    throw new UserError(`"${place}" names no lines. Write for example src/login.ts:40-42.`);
  return { path, from: Number(from), to: Number(to) };
}

/**
 * Returns the anchor of lines of a changed file.
 * @throws {UserError} if the file has no changes, or the machine makes no restore points
 */
async function anchorOf(
  { client, ids, workspace: { deviceId } }: OpenWorkspace,
  { path, side, ...lines }: Pick<Anchor, "path" | "side" | "from" | "to">,
): Promise<Anchor> {
  if (deviceId === null) throw new UserError("The workspace is on no machine.");
  const { organizationId, workspaceId } = ids;
  const { status, result, error } = await client.agent.execute.mutate({
    ...{ organizationId, deviceId, tool: "get_workspace_diff", waitMs: DIFF_WAIT_MS },
    params: { workspaceId, paths: [path], context: 0, maxBytes: 100_000, summary: true, snapshot: true },
  });
  if (status !== "succeeded")
    throw new UserError(error?.message ?? `The machine has not answered: ${status}.`);
  const { files, from, snapshot }: WorkspaceDiff = deviceTools.get_workspace_diff.result.parse(result);
  const file = files.find((each) => each.path === path);
  if (!file) throw new UserError(`${path} has no changes against the base, so it cannot be commented on.`);
  const blob = snapshot?.files.find((each) => each.path === path)?.[side];
  const point = side === "before" ? from : snapshot?.point;
  if (!blob || !point)
    throw new UserError("The machine could not save this version of the file. Restore points may be off.");
  return { ...lines, side, point, blob, path: side === "before" ? (file.oldPath ?? path) : path };
}

/** @throws {UserError} naming the agents, unless there is exactly one */
async function onlyAgent({ client, ids, command, workspace: { name } }: OpenWorkspace): Promise<string> {
  const sessions = await client.agent.listSessions.query({ ...ids, status: "running" });
  // A plain terminal has no activity.
  const agents = sessions.filter(({ activity }) => activity !== null);
  const [one, ...others] = agents;
  if (!one) throw new UserError("No agent runs in this workspace. Start one first.");
  if (others.length === 0) return one.id;
  const commands = agents.map(({ id }) => command("review", "send", name, "--session", id));
  throw new UserError(`Several agents run in this workspace. Choose one:\n${commands.join("\n")}`);
}

function reviewText(
  { comments, rounds }: { comments: ReviewComment[]; rounds: ReviewRound[] },
  { command, workspace: { name } }: OpenWorkspace,
): string {
  if (comments.length === 0)
    return `No comments yet. Add one with: ${command("review", "comment", "<place>", "<text>")}\n`;
  const lines = comments.flatMap(({ anchor: { path, from, to }, body, state, roundId, claim }) => {
    const round = rounds.find(({ id }) => id === roundId);
    const delivery = round && round.status !== "delivered" ? `, ${round.status}` : "";
    return [
      `${path}:${from === to ? from : `${from}-${to}`}  [${state}${delivery}]`,
      indented(body),
      ...(claim ? [indented(claimText(claim))] : []),
    ];
  });
  const hasDrafts = comments.some(({ state }) => state === "draft");
  return `${lines.join("\n")}\n${hasDrafts ? `Send the drafts with: ${command("review", "send", name)}\n` : ""}`;
}

const indented = (text: string): string => `  ${text.replaceAll("\n", "\n  ")}`;

/** The agent's answer: `Agent: fixed in 1b2c3d4e5f60: …`. */
const claimText = ({ state, commit, body }: ReviewClaim): string =>
  `Agent: ${state}${commit === null ? "" : ` in ${commit.slice(0, 12)}`}${body.trim() === "" ? "" : `: ${body}`}`;
