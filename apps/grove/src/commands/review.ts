import { randomUUID } from "node:crypto";
import {
  anchorLabel,
  type LatestAnswer,
  type ReviewComment,
  type ReviewRound,
  shortCommit,
} from "@grove/schemas";
import type { Env } from "../env";
import { UserError } from "../errors";
import { type OpenWorkspace, type WorkspaceOptions, withWorkspace } from "../local/workspace";
import { print, printJson } from "../print";
import { anchorIn, parseComment, pointOf } from "./reviewAnchor";

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

interface CommentOptions extends WorkspaceOptions {
  workspace?: string;
  before: boolean;
  change: boolean;
}

/**
 * `grove review comment <file>[:<line>[-<line>]] <text>`, or `--change <text>`: saves a draft on lines as they are now,
 * on a whole file, or on the whole change.
 */
export const addComment = (
  words: readonly string[],
  { dataDir, json, workspace: wanted, ...options }: CommentOptions,
  env: Env,
) => {
  const { place, body } = parseComment(words, options);
  return withWorkspace(wanted, dataDir, env, async (open) => {
    const of = await changeOf(open);
    const anchor = place ? await anchorIn(open, place, options.before) : { point: await pointOf(open) };
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
  const lines = comments.flatMap(({ anchor, body, state, roundId, claim }) => {
    const round = rounds.find(({ id }) => id === roundId);
    const delivery = round && round.status !== "delivered" ? `, ${round.status}` : "";
    return [
      `${anchorLabel(anchor)}  [${state}${delivery}]`,
      indent(body),
      ...(claim ? [indent(answerText(claim))] : []),
    ];
  });
  const hasDrafts = comments.some(({ state }) => state === "draft");
  return `${lines.join("\n")}\n${hasDrafts ? `Send the drafts with: ${command("review", "send", name)}\n` : ""}`;
}

const indent = (text: string): string => `  ${text.replaceAll("\n", "\n  ")}`;

/** The agent's answer: `Agent: fixed in 1b2c3d4e: …`. */
const answerText = ({ state, commit, body }: LatestAnswer): string =>
  `Agent: ${state}${commit === null ? "" : ` in ${shortCommit(commit)}`}${body.trim() === "" ? "" : `: ${body}`}`;
