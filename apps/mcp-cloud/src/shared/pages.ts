import { allOf, idOf } from "@grove/client";
import { ToolError } from "@grove/mcp";
import { id } from "@grove/schemas";
import * as z from "zod";

/** The page size of lists without a `limit` input, and the largest `limit`. */
const PAGE_SIZE = 100;

/** The input of every paged list. */
export const after = id.optional().describe("`next` of a page");
export const limit = z.number().int().min(1).max(PAGE_SIZE).default(25).describe("Page size");

/** The output of every list in addition to its rows. */
export const pageFields = {
  total: z.number().int(),
  /** The value of `after` for the next page; null at the end. */
  next: id.nullable(),
};

/** Reads a list of the API to the end. */
export async function readAll<Row extends { id: string } | { userId: string }>(
  readPage: (page: { limit: number; after?: string }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of allOf(readPage)) rows.push(row);
  return rows;
}

/**
 * One page of rows, after `afterId`.
 * @throws {ToolError} if that row no longer exists
 */
export function pageOf<Row extends { id: string } | { userId: string }>(
  rows: readonly Row[],
  afterId: string | undefined,
  size = PAGE_SIZE,
) {
  const start = afterId === undefined ? 0 : rows.findIndex((row) => idOf(row) === afterId) + 1;
  if (afterId !== undefined && start === 0)
    throw new ToolError(
      "cursor_gone",
      `Row ${afterId} is no longer in this list`,
      "Call again without after.",
    );
  const page = rows.slice(start, start + size);
  const last = page.at(-1);
  const isLast = start + page.length === rows.length;
  return { page, total: rows.length, next: isLast || !last ? null : idOf(last) };
}
