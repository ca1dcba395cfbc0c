import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTestServer } from "../testing/server";

const server = await useTestServer();
const { db, engine } = server.database;

/** Makes a separate organization with tasks that have this text, each with a number. */
async function withTasks(count: number, text: string) {
  const eve = await server.signUp("Eve");
  await sql`insert into tasks (id, organization_id, slug, title, search_text, status, priority, labels, created_at)
    select gen_random_uuid(), ${eve.organizationId}, 't' || n, 't', ${text} || n, 'todo', 'none', '{}', now()
    from generate_series(1, ${sql.lit(count)}) as n`.execute(db);
  return eve;
}

/** Texts with each two neighbouring characters of the searched one, but without it. */
const attacks: [what: string, text: string, search: string][] = [
  ["two runs of letters", `${"yx".repeat(100)} ${"xy".repeat(100)}yy`, "xyyxyyx"],
  ["letters of another script", "園林園園林林".repeat(60), `${"園林".repeat(30)}林林園園園`],
  ["a long text of ASCII letters", "xxxy".repeat(100), `${"x".repeat(150)}y`],
];

it.each(attacks)("compares %s in statements of at most 50 texts", async (_, text, search) => {
  const { client, organizationId } = await withTasks(120, text);
  const before = server.statements.length;
  expect(await client.task.list.query({ organizationId, search })).toEqual([]);
  expect(await client.task.count.query({ organizationId, search })).toEqual({ total: 0 });
  const sent = server.statements.slice(before);
  const comparing = sent.filter((statement) => /search_text (~|like)|strpos/.test(statement.sql));
  expect(comparing.length).toBeGreaterThan(0);
  // PostgreSQL ends a statement that takes too long, and finds letters by their trigrams.
  if (engine === "postgres" && /[a-z]{3}/.test(search)) return;
  expect(comparing).toHaveLength(2 * Math.ceil(120 / 50));
  for (const statement of comparing) expect(statement.sql).toContain('"id" in');
});

it("ends a statement of either engine that compares for too long", async () => {
  const limited = sql`select count(*) from generate_series(1, 200000) as n
    where case when require_time(interval '1 millisecond') then n < 0 end`;
  await expect(limited.execute(db)).rejects.toMatchObject({ code: "57014" });
});

it("finds a text among tasks that nearly have it, and counts it", async () => {
  const { client, organizationId } = await withTasks(60, "abcab bcabc cab");
  await client.task.create.mutate({ organizationId, title: "Abcabca" });
  for (const search of ["abcabca", "BCABCA", "c"]) {
    const total = search === "c" ? 61 : 1;
    expect(await client.task.count.query({ organizationId, search })).toEqual({ total });
  }
});
