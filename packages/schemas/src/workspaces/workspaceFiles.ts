import * as z from "zod";
import { commitId, id, line, text } from "../values";
import { relativePath } from "./workspaceDiff";

/* The inputs and results of the tools that read a workspace's files and a project's branches. */

/** The most entries of one response. */
export const MAX_LISTED = { branches: 100, entries: 2_000, foundFiles: 200, matches: 500 } as const;

/** The most bytes of text and of a picture that one read_file returns. */
export const MAX_READ_BYTES = { text: 256 * 1024, image: 480 * 1024 } as const;

export const listBranchesParams = z.strictObject({
  projectId: id,
  search: line(200).optional().describe("Only branches whose name contains this, in any case"),
});

/** Branches, those with the newest commit first; at most 100. */
export const listedBranches = z.strictObject({
  branches: z.array(
    z.strictObject({
      /** Without `origin/`. */
      name: z.string(),
      /** Whether the repository on the device has it; otherwise only `origin` does. */
      local: z.boolean(),
      /** When its last commit was made, and that commit's first line. */
      committedAt: z.string(),
      subject: z.string(),
      /** Where it is checked out: a worktree's path; null if nowhere. */
      checkedOutAt: z.string().nullable(),
    }),
  ),
  defaultBranch: z.string(),
  truncated: z.boolean(),
});
export type ListedBranch = z.infer<typeof listedBranches>["branches"][number];

export const listFilesParams = z.strictObject({
  workspaceId: id,
  directory: relativePath.optional().describe("A directory of the worktree; its top when omitted"),
});

export const fileKind = z.enum(["file", "directory", "link", "submodule", "other"]);
export type FileKind = z.infer<typeof fileKind>;

/** The entries of a directory, directories first, then by name; at most 2 000. */
export const listedFiles = z.strictObject({
  entries: z.array(
    z.strictObject({
      /** A name that is not UTF-8 is in git's quotes, with its bytes in octal. */
      name: z.string(),
      kind: fileKind,
      /** In bytes; null unless it is a file. */
      size: z.number().int().nullable(),
      /** Whether git ignores it. */
      ignored: z.boolean(),
    }),
  ),
  truncated: z.boolean(),
});
export type ListedFile = z.infer<typeof listedFiles>["entries"][number];

export const readFileParams = z.strictObject({
  workspaceId: id,
  path: relativePath,
  commit: commitId.optional().describe("The file as of this commit instead of the one in the worktree"),
  offset: z.number().int().min(0).default(0).describe("The byte of the file at which the text begins"),
});

/**
 * A file's content. `text`: the part that begins at `offset`, at most 256 KiB, cut between two characters. `image`: a
 * picture of at most 480 KiB in base64. `binary`: neither.
 */
export const readFileResult = z.strictObject({
  kind: z.enum(["text", "image", "binary"]),
  /** In bytes, of the whole file. */
  size: z.number().int(),
  text: z.string().optional(),
  /** Where the next part begins; null at the end of the file. */
  nextOffset: z.number().int().nullable(),
  image: z.strictObject({ mediaType: z.string(), base64: z.string() }).optional(),
});
export type ReadFile = z.infer<typeof readFileResult>;

export const searchFilesParams = z.strictObject({
  workspaceId: id,
  query: text(200)
    .min(1)
    .refine((query) => !/[\r\n]/.test(query), "must be one line of text"),
  in: z
    .enum(["names", "contents"])
    .default("contents")
    .describe("names: the paths that contain the query; contents: the lines"),
  matchCase: z.boolean().default(false),
});

/** Matches in files that git does not ignore: at most 200 paths, or 500 lines. */
export const foundInFiles = z.strictObject({
  matches: z.array(
    z.strictObject({
      path: z.string(),
      /** Counted from 1; null for a match in the path. */
      line: z.number().int().nullable(),
      /** The line, or its part around the match; at most 300 characters. Empty for a match in the path. */
      text: z.string(),
    }),
  ),
  truncated: z.boolean(),
});
export type FoundInFiles = z.infer<typeof foundInFiles>;
