import * as z from "zod";
import { commitId, id, text } from "../values";

/** The maximum size of a result, in bytes of JSON. The API accepts reports of up to 1 MiB. */
export const DIFF_BYTES = { min: 10_000, max: 700_000 } as const;
/** The most files that are named, and the most untracked ones among them. */
export const DIFF_FILES = { max: 5_000, untracked: 2_000 } as const;
/** Larger files are named, but not compared line by line. */
export const DIFF_FILE_BYTES = 1024 * 1024;

/** A path within a worktree, as git writes it: relative, with slashes, and never upwards. */
export const relativePath = text(4_096)
  .min(1)
  .refine(
    (path) => !path.startsWith("/") && !path.split("/").some((part) => part === ".." || part === "."),
    "must be a path within the worktree, without . and ..",
  );

/** The other side of a comparison with a worktree's files. */
export const comparedWith = z
  .union([z.enum(["base", "head", "turn"]), z.strictObject({ point: commitId })])
  .default("base");

/** The input of get_workspace_diff: two sides to compare, and the part of the difference to return. */
export const workspaceDiffParams = z.strictObject({
  workspaceId: id,
  against: comparedWith.describe(
    "base: where the worktree left its base; head: its last commit; turn: the files before the agent's running or last turn; point: a restore point of the workspace; uncommitted work always counts",
  ),
  paths: z
    .array(relativePath)
    .min(1)
    .max(200)
    .optional()
    .describe("Only these files and directories, as files names them"),
  context: z.number().int().min(0).max(20).default(3).describe("Unchanged lines around each change"),
  ignoreWhitespace: z.boolean().default(false),
  maxBytes: z
    .number()
    .int()
    .min(DIFF_BYTES.min)
    .max(DIFF_BYTES.max)
    .default(DIFF_BYTES.max)
    .describe("Maximum size of the result as JSON, in bytes"),
  summary: z.boolean().default(false).describe("Only the files and their counts, without patches"),
  snapshot: z
    .boolean()
    .default(false)
    .describe("Also makes a restore point of the files, to which comments can refer. Needs paths"),
});

/** The commits of both sides of a difference, to which comments refer. */
export const diffSnapshot = z.strictObject({
  /** The restore point with the files as they are compared. */
  point: z.string(),
  /** The chosen files: the blobs of both sides, null on the side without the file. */
  files: z.array(
    z.strictObject({ path: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
});

export const diffStatus = z.enum([
  "added",
  "modified",
  "deleted",
  "renamed",
  "retyped",
  "unmerged",
  "untracked",
]);
export type DiffStatus = z.infer<typeof diffStatus>;

/**
 * Why a file's patch is missing. `too_large`: the file is over 1 MiB, or its patch alone is over `maxBytes`. `no_room`:
 * other patches filled the result, so ask for this path alone. `submodule`: the changes are inside a submodule.
 */
export const diffOmitted = z.enum(["too_large", "no_room", "submodule"]);
export type DiffOmitted = z.infer<typeof diffOmitted>;

/** One file that differs. */
export const diffFile = z.strictObject({
  /** A name that is not UTF-8 is in git's quotes, with its bytes in octal. */
  path: z.string(),
  /** The name before a rename, otherwise null. */
  oldPath: z.string().nullable(),
  status: diffStatus,
  /** Changed lines; 0 for a binary file. */
  insertions: z.number().int(),
  deletions: z.number().int(),
  binary: z.boolean(),
  /** git's modes, such as 100644, 100755, 120000 (link) and 160000 (submodule); null on the side without the file. */
  oldMode: z.string().nullable(),
  mode: z.string().nullable(),
  /** Identifies the file's content now; null for a deleted file. */
  blob: z.string().nullable(),
  /** In git's unified format; null in a summary, for binary files, and where `omitted` has the reason. */
  patch: z.string().nullable(),
  omitted: diffOmitted.nullable(),
});
export type DiffFile = z.infer<typeof diffFile>;

/**
 * The difference of a worktree to its base, its last commit, an agent's turn or a restore point,
 * with everything that is not committed.
 */
export const workspaceDiff = z.strictObject({
  /** The branch or commit that the worktree was made from. */
  base: z.string(),
  /** The commit that is compared with; null if there is none yet, so that every file is new. */
  from: z.string().nullable(),
  /** The commit that is checked out; null before the first one. */
  head: z.string().nullable(),
  files: z.array(diffFile),
  /** How many files differ in all, and their lines. */
  filesTotal: z.number().int(),
  insertions: z.number().int(),
  deletions: z.number().int(),
  /** How many files git does not track yet. At most 2 000 of them are among `files`. */
  untracked: z.number().int(),
  /** Whether `files` is incomplete, or a patch is missing that another call would return. */
  truncated: z.boolean(),
  /** Only if it was asked for; null if no restore points are made, or while the files change too quickly. */
  snapshot: diffSnapshot.nullable().optional(),
});
export type WorkspaceDiff = z.infer<typeof workspaceDiff>;
