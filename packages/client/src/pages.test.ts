import { expect, it, vi } from "vitest";
import { allOf } from "./pages";

const items = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(from + index) }));

it.each([
  { total: 0, reads: 1 },
  { total: 1, reads: 1 },
  { total: 15, reads: 1 },
  { total: 16, reads: 2 },
  { total: 999, reads: 2 },
  { total: 1000, reads: 2 },
  { total: 2500, reads: 4 },
])("reads $total items in $reads pages", async ({ total, reads }) => {
  const all = items(0, total);
  const list = vi.fn(async ({ limit, after }: { limit: number; after?: string }) => {
    const start = after === undefined ? 0 : Number(after) + 1;
    return all.slice(start, start + limit);
  });
  const read: { id: string }[] = [];
  for await (const item of allOf(list)) read.push(item);
  expect(read).toEqual(all);
  expect(list).toHaveBeenCalledTimes(reads);
});

it("continues after a page that is shorter than its limit, since its items may be large", async () => {
  const all = items(0, 50);
  const list = async ({ after }: { after?: string }) => {
    const start = after === undefined ? 0 : Number(after) + 1;
    return all.slice(start, start + 20);
  };
  const read: { id: string }[] = [];
  for await (const item of allOf(list)) read.push(item);
  expect(read).toEqual(all);
});

it("reads a page only when its items are needed", async () => {
  const list = vi.fn(async () => items(0, 1000));
  for await (const item of allOf(list)) if (item.id === "3") break;
  expect(list).toHaveBeenCalledOnce();
});

it("continues a list of members after the user's id", async () => {
  const list = vi.fn(async ({ after }: { after?: string }) =>
    after === undefined ? items(0, 1000).map(({ id }) => ({ userId: `user ${id}` })) : [],
  );
  const read: { userId: string }[] = [];
  for await (const member of allOf(list)) read.push(member);
  expect(read).toHaveLength(1000);
  expect(list).toHaveBeenLastCalledWith({ limit: 1000, after: "user 999" });
});
