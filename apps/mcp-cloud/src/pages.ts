import { allOf } from "@grove/client";
import { ToolError } from "@grove/mcp";
import { id } from "@grove/schemas";
import * as z from "zod";

/** So many rows of a list a model gets at once, where it cannot say. */
const PAGE_SIZE = 100;

/** The input of every list. */
export const after = id.optional().describe("`next` of the page before");
export const limit = z.number().int().min(1).max(PAGE_SIZE).default(25).describe("How many at most");

/** What every list says besides its rows. */
export const pageFields = {
  total: z.number().int(),
  /** The id to pass as `after` for what follows; null at the end. */
  next: id.nullable(),
};

/** Reads a list of the API to its end. */
export async function readAll<Row extends { id: string } | { userId: string }>(
  readPage: (page: { limit: number; after?: string }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const row of allOf(readPage)) rows.push(row);
  return rows;
}

/** The rows that follow `afterId`, as many as a page holds. Throws a ToolError when that row is no more. */
export function pageOf<Row extends { id: string } | { userId: string }>(
  rows: readonly Row[],
  afterId: string | undefined,
  size = PAGE_SIZE,
) {
  const start = afterId === undefined ? 0 : rows.findIndex((row) => idOf(row) === afterId) + 1;
  if (afterId !== undefined && start === 0)
    throw new ToolError(
      "cursor_gone",
      `There is no row ${afterId} in this list any more`,
      "Begin again without after.",
    );
  const page = rows.slice(start, start + size);
  const last = page.at(-1);
  const isLast = start + page.length === rows.length;
  return { page, total: rows.length, next: isLast || !last ? null : idOf(last) };
}

/** Members go by their user's id. */
const idOf = (row: { id: string } | { userId: string }): string => ("id" in row ? row.id : row.userId);
