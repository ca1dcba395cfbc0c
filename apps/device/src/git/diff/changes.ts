import { lstat } from "node:fs/promises";
import { DIFF_FILE_BYTES, type DiffStatus } from "@grove/schemas";
import { changedSubmodules } from "../status";
import type { Compared } from "./compared";
import { bytePath } from "./contentId";
import type { RawName } from "./rawNames";

/** How two sides are compared. */
export interface DiffOptions {
  context: number;
  ignoreWhitespace: boolean;
}

/** A file that differs. */
export interface Change {
  name: RawName;
  oldName: RawName | null;
  status: DiffStatus;
  insertions: number;
  deletions: number;
  binary: boolean;
  oldMode: string | null;
  mode: string | null;
  /** git's id of the content; null if git has not stored it, or there is none. */
  blob: string | null;
  oldBlob: string | null;
  omitted: "too_large" | "submodule" | null;
}

/** These options override all configuration of a user or a repository that could change the output. */
const CONFIG = [
  ...["-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false"],
  // Git treats larger files as binary.
  ...["-c", `core.bigFileThreshold=${DIFF_FILE_BYTES}`],
];
/** Every count of changed files uses these, so that a renamed file is one file everywhere. */
export const DETECT_RENAMES = ["-M", "-l1000"];
const FLAGS = [
  ...["--no-ext-diff", "--no-textconv", "--no-color", "--no-relative", ...DETECT_RENAMES, "-O/dev/null"],
  ...["--src-prefix=a/", "--dst-prefix=b/", "--submodule=short", "--ignore-submodules=dirty"],
  "--inter-hunk-context=0",
];

/** The arguments of `git diff` for a comparison, up to the paths. */
export const diffArguments = (
  { from }: Compared,
  { context, ignoreWhitespace }: DiffOptions,
  output: string[],
): string[] => [
  ...[...CONFIG, "diff", ...output, ...FLAGS, `--unified=${context}`],
  ...(ignoreWhitespace ? ["--ignore-all-space"] : []),
  ...[from, "--"],
];

const STATUS: Record<string, DiffStatus> = {
  A: "added",
  M: "modified",
  D: "deleted",
  R: "renamed",
  T: "retyped",
};

const present = (mode: string) => (/^0+$/.test(mode) ? null : mode);

/**
 * The files that differ, in git's order, by the bytes of their names.
 * @throws {GitError}
 */
export async function listChanges(compared: Compared, options: DiffOptions): Promise<Change[]> {
  const { tree, signal, indexFile } = compared;
  const [output, submodules] = await Promise.all([
    tree.git(diffArguments(compared, options, ["--raw", "--numstat", "-z", "--no-abbrev"]), {
      signal,
      encoding: "latin1",
      ...(indexFile && { indexFile }),
    }),
    changedSubmodules(tree, signal),
  ]);
  const changes = parse(output, compared);
  const listedNames = new Set(changes.map(({ name }) => name));
  await markLarge(
    compared,
    changes.filter(({ binary }) => binary),
  );
  for (const name of compared.large)
    changes.push({ ...contentChange(name), status: "untracked", mode: "100644", omitted: "too_large" });
  for (const path of submodules) {
    const name = Buffer.from(path).toString("latin1");
    if (listedNames.has(name)) continue;
    changes.push({ ...contentChange(name), oldMode: "160000", mode: "160000", omitted: "submodule" });
  }
  return changes.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

const contentChange = (name: RawName): Change => ({
  name,
  oldName: null,
  status: "modified",
  insertions: 0,
  deletions: 0,
  binary: false,
  oldMode: null,
  mode: null,
  blob: null,
  oldBlob: null,
  omitted: null,
});

/** Reads `--raw --numstat -z`: first a record for each file, then its counts. */
function parse(output: string, { untracked, unmerged }: Compared): Change[] {
  const words = output.split("\0");
  const isNew = new Set(untracked);
  const changes = new Map<RawName, Change>();
  let at = 0;
  const next = () => words[at++] ?? "";
  while (words[at]?.startsWith(":")) {
    const [oldMode = "", mode = "", oldBlob = "", blob = "", letter = ""] = next().slice(1).split(" ");
    const oldName = letter.startsWith("R") ? next() : null;
    const name = next();
    const status = STATUS[letter.charAt(0)] ?? "modified";
    changes.set(name, {
      ...contentChange(name),
      oldName,
      status: unmerged.has(name) ? "unmerged" : status === "added" && isNew.has(name) ? "untracked" : status,
      oldMode: present(oldMode),
      mode: present(mode),
      blob: present(blob),
      oldBlob: present(oldBlob),
    });
  }
  while (at < words.length) {
    const [, insertions, deletions, named] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(next()) ?? [];
    // For a renamed file, both names follow.
    if (named === "") next();
    const change = changes.get(named === "" ? next() : (named ?? ""));
    if (!change) continue;
    change.binary = insertions === "-";
    change.insertions = Number(insertions) || 0;
    change.deletions = Number(deletions) || 0;
  }
  return [...changes.values()];
}

/** Marks the files that git treats as binary only because of their size. */
async function markLarge({ tree, signal }: Compared, changes: Change[]): Promise<void> {
  const before = changes.flatMap(({ oldBlob }) => oldBlob ?? []);
  const input = before.map((blob) => `${blob}\n`).join("");
  const answers = before.length > 0 ? await tree.git(["cat-file", "--batch-check"], { signal, input }) : "";
  // A line is "<id> blob <size>".
  const large = new Set(
    answers.split("\n").flatMap((line) => {
      const [blob, , size] = line.split(" ");
      return Number(size) > DIFF_FILE_BYTES ? [blob] : [];
    }),
  );
  for (const change of changes) {
    const now = await lstat(bytePath(tree.path, change.name)).catch(() => undefined);
    if ((now?.size ?? 0) > DIFF_FILE_BYTES || (change.oldBlob !== null && large.has(change.oldBlob)))
      Object.assign(change, { binary: false, omitted: "too_large" });
  }
}
