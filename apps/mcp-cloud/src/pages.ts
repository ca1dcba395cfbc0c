import { ToolError } from "@grove/mcp";
import { id } from "@grove/schemas";
import * as z from "zod";

/** So many rows of a list a model gets at once. */
const PAGE_SIZE = 100;
/** The most that the API gives at once. */
const API_PAGE_SIZE = 1000;

/** The input of every list. */
export const after = id.optional().describe("`next` of the previous page");

/** What every list says besides its rows. */
export const pageFields = {
  total: z.number().int(),
  /** The id to pass as `after` for what follows; null at the end. */
  next: id.nullable(),
};

/** Reads a list of the API to its end. */
export async function readAll<Row extends { id: string }>(
  readPage: (page: { limit: number; after?: string }) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await readPage({ limit: API_PAGE_SIZE, ...(last && { after: last.id }) });
    rows.push(...page);
    if (page.length < API_PAGE_SIZE) return rows;
  }
}

/** The rows that follow `afterId`, as many as a page holds. Throws a ToolError when that row is no more. */
export function pageOf<Row extends { id: string }>(rows: readonly Row[], afterId: string | undefined) {
  const start = afterId === undefined ? 0 : rows.findIndex((row) => row.id === afterId) + 1;
  if (afterId !== undefined && start === 0)
    throw new ToolError(
      "cursor_gone",
      `There is no row ${afterId} in this list any more`,
      "Begin again without after.",
    );
  const page = rows.slice(start, start + PAGE_SIZE);
  const isLast = start + page.length === rows.length;
  return { page, total: rows.length, next: isLast ? null : (page.at(-1)?.id ?? null) };
}
