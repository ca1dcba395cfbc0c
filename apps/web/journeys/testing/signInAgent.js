/*
 * The work of the agent of a journey, by turns. It commits its work, answers by Grove's MCP tools, and finds out what
 * to do in its prompts.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * @typedef {object} Turn
 * @property {string} prompt
 * @property {(tool: string, input: Record<string, unknown>) => Promise<any>} callTool
 */

/** @param {string[]} args */
const git = (...args) => execFileSync("git", args, { encoding: "utf8" }).trim();

/** @param {string} message */
function commit(message) {
  git("add", "login.ts");
  git("commit", "--quiet", "--message", message);
  return git("rev-parse", "HEAD");
}

/** @param {string[]} lines */
const write = (lines) => writeFileSync("login.ts", `${lines.join("\n")}\n`);

/** Writes the first version, and reports it as finished. @param {Turn} turn */
export async function begin({ callTool }) {
  write(["export const status = (user) => {", "  if (!user) return 404;", "  return 200;", "};"]);
  commit("Add the sign-in");
  const { workspaces } = await callTool("list_workspaces", {});
  const summary = "Users can sign in.";
  await callTool("finish_task", { workspaceId: workspaces[0].id, summary, tests: ["npm test: 1 passed"] });
}

/** Fixes what the comments ask for, and claims so for each. Leaves a file uncommitted. @param {Turn} turn */
export async function answerReview({ prompt, callTool }) {
  write([
    "export const status = (user) => {",
    "  if (!user) return 401;",
    "  if (user.isLocked) return 403;",
    "  return 200;",
    "};",
  ]);
  const fix = commit("Refuse locked accounts");
  writeFileSync("CHANGELOG.md", "Sign-in\n");
  for (const [, commentId] of prompt.matchAll(/^\[([\da-f-]+)\]/gm))
    await callTool("answer_comment", { commentId, state: "fixed", commit: fix });
  await finish(prompt, callTool, "Locked accounts are refused.");
}

/**
 * Returns the status that a failed check expects, commits and pushes that. Thinks until the journey has made the file
 * `go` in its home.
 * @param {Turn} turn
 */
export async function fixCheck({ prompt, callTool }) {
  while (!existsSync(join(homedir(), "go"))) await sleep(50);
  const [, actual = "", expected = ""] = /expected (\d+) to be (\d+)/.exec(prompt) ?? [];
  writeFileSync("login.ts", readFileSync("login.ts", "utf8").replace(actual, expected));
  commit(`Return ${expected} for locked accounts`);
  git("push", "--quiet", "origin", "HEAD");
  await finish(prompt, callTool, `Locked accounts get ${expected}.`);
}

/** @param {string} prompt @param {Turn["callTool"]} callTool @param {string} summary */
async function finish(prompt, callTool, summary) {
  const [, workspaceId] = /finish_task with workspaceId ([\da-f-]+)/.exec(prompt) ?? [];
  await callTool("finish_task", { workspaceId, summary });
}
