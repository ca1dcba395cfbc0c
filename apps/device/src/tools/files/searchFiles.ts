import { type DeviceToolParams, type FoundInFiles, MAX_LISTED } from "@grove/schemas";
import { shown } from "../../git/diff/rawNames";
import { GitError } from "../../git/run";
import type { OpenWorktree } from "../../git/worktree/openWorktree";
import { findWorkspace } from "../../home/workspaces";
import type { Tool } from "../../tool";
import type { ToolDeps } from "../deps";
import { openWorkspace } from "../workspace/openWorkspace";

type Params = DeviceToolParams<"search_files">;

/** The most output of git that is read. */
const MAX_OUTPUT_BYTES = 15 * 1024 * 1024;
const MAX_LINE = 300;
/** The characters of a long line before its match. */
const BEFORE_MATCH = 80;

/** search_files: finds files by their path, or lines in them. Files that git ignores are left out. */
export const searchFilesTool = (deps: ToolDeps): Tool<"search_files"> => ({
  async run(params, { signal }) {
    const tree = await openWorkspace(deps, await findWorkspace(deps, params.workspaceId));
    return params.in === "names" ? findNames(tree, params, signal) : findLines(tree, params, signal);
  },
});

/** @param matchCase whether `A` and `a` differ */
const indexIn = (text: string, { query, matchCase }: Params): number =>
  matchCase ? text.indexOf(query) : text.toLowerCase().indexOf(query.toLowerCase());

async function findNames({ git }: OpenWorktree, params: Params, signal: AbortSignal): Promise<FoundInFiles> {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const output = await git(list, { signal, encoding: "latin1", enoughBytes: MAX_OUTPUT_BYTES });
  const paths = [...new Set(output.split("\0"))].filter((path) => path !== "").map(shown);
  const found = paths.filter((path) => indexIn(path, params) !== -1);
  // A match in the file's own name is more likely what was meant than one in a directory's.
  const rank = (path: string) => Number(indexIn(path.slice(path.lastIndexOf("/") + 1), params) === -1);
  const sorted = found.toSorted((a, b) => rank(a) - rank(b) || a.length - b.length || a.localeCompare(b));
  return {
    matches: sorted.slice(0, MAX_LISTED.foundFiles).map((path) => ({ path, line: null, text: "" })),
    truncated: sorted.length > MAX_LISTED.foundFiles || output.length >= MAX_OUTPUT_BYTES,
  };
}

async function findLines({ git }: OpenWorktree, params: Params, signal: AbortSignal): Promise<FoundInFiles> {
  const args = [
    ...["grep", "--untracked", "--no-recurse-submodules", "-I", "-F", "-z", "--line-number"],
    // The user's configuration may set these otherwise.
    ...["--no-color", "--no-column", "--full-name"],
    ...(params.matchCase ? [] : ["--ignore-case"]),
    ...["-e", params.query],
  ];
  const output = await git(args, { signal, encoding: "latin1", enoughBytes: MAX_OUTPUT_BYTES }).catch(
    nothingFound,
  );
  const matches: FoundInFiles["matches"] = [];
  const lines = output.split("\n");
  // A line without an end is empty, or was cut.
  lines.pop();
  for (const each of lines.slice(0, MAX_LISTED.matches)) {
    const [name = "", line, ...rest] = each.split("\0");
    const text = Buffer.from(rest.join("\0"), "latin1").toString("utf8");
    matches.push({ path: shown(name), line: Number(line), text: excerpt(text, params) });
  }
  return { matches, truncated: lines.length > MAX_LISTED.matches || output.length >= MAX_OUTPUT_BYTES };
}

/** git grep exits with 1 if there is no match. */
function nothingFound(error: unknown): string {
  if (error instanceof GitError && error.code === 1) return "";
  throw error;
}

/** The part of a line around its match. */
function excerpt(line: string, params: Params): string {
  const from = line.length > MAX_LINE ? Math.max(0, indexIn(line, params) - BEFORE_MATCH) : 0;
  return line.slice(from, from + MAX_LINE).replaceAll("\0", "\u2400");
}
