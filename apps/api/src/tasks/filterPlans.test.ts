import { newId } from "@grove/db";
import { CompiledQuery, sql } from "kysely";
import { beforeAll, expect, it } from "vitest";
import { addMember } from "../testing/fixtures";
import { useTestServer } from "../testing/server";

const server = await useTestServer();
const ada = await server.signUp();
const bob = await server.signUp("Bob");
const { organizationId } = ada;
const { db } = server.database;

/** Fills the filtered tables with 20 000 rows of one organization, none of which match the filters below. */
beforeAll(async () => {
  await addMember(server, organizationId, bob, "member");
  const org = sql`${organizationId}::uuid`;
  const user = sql`${ada.user.id}::uuid`;
  const times = sql`now() - n * interval '1 second'`;
  const rows = sql`from generate_series(1, 20000) as n`;
  const devices = [newId(), newId()];
  await sql`insert into devices (id, organization_id, owner_id, name, platform, key_prefix, key_hash)
    select id, ${org}, ${user}, 'd', 'linux', 'grd_', id::text from unnest(${devices}::uuid[]) as id`.execute(
    db,
  );
  await sql`insert into device_commands (id, organization_id, device_id, tool, params, status, principal, timeout_ms,
      queue_expires_at, requested_by, created_at)
    select (${newId().slice(0, 14)} || '7' || substr(gen_random_uuid()::text, 16))::uuid, ${org}, ${devices[0]}::uuid, 'list_projects', '{}', 'succeeded', 'user', 1, now(),
      ${user}, ${times} ${rows}`.execute(db);
  await sql`insert into agent_sessions (id, organization_id, device_id, agent, status, ended_at, created_at)
    select gen_random_uuid(), ${org}, ${devices[0]}::uuid, 'claude', 'exited', now(), ${times} ${rows}`.execute(
    db,
  );
  await sql`insert into audit_events (id, organization_id, actor_kind, action, target_type, target_id, created_at)
    select gen_random_uuid(), ${org}, 'system', 'test', 'test', 'test', ${times} ${rows}`.execute(db);
  // In slices: on a busy machine, the indexes of so many tasks take longer than one statement may.
  for (let first = 1; first <= 20_000; first += 2_000)
    await sql`insert into tasks
      (id, organization_id, slug, title, search_text, status, priority, labels, creator_id, created_at)
      select gen_random_uuid(), ${org}, 't' || n, 't', repeat('water the orchard ', 4) || n, 'todo', 'none',
        array['garden', 'label ' || n % 50], ${user}, ${times} from generate_series(${first}::int, ${first + 1_999}::int) as n`.execute(
      db,
    );
  const projectId = newId();
  await sql`insert into projects (id, organization_id, name, slug, repo_owner, repo_name, repo_url, default_branch)
    values (${projectId}, ${org}, 'p', 'p', 'o', 'r', 'https://example.com/r', 'main')`.execute(db);
  await sql`insert into workspaces (id, organization_id, project_id, name, type, config, created_at)
    select gen_random_uuid(), ${org}, ${projectId}, 'w', 'worktree', '{}', ${times} ${rows}`.execute(db);
  const filled = [
    "device_commands",
    "agent_sessions",
    "audit_events",
    "tasks",
    "devices",
    "workspaces",
  ] as const;
  for (const table of filled) await sql`vacuum analyze ${sql.table(table)}`.execute(db);
});

interface Plan {
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  Plans?: Plan[];
}

/** The answer to EXPLAIN for the server's last statement that contains this text. */
async function explained<Row>(
  how: string,
  text: string,
  on: Pick<typeof db, "executeQuery"> = db,
): Promise<Row[]> {
  const sent = server.statements.findLast((statement) => statement.sql.includes(text));
  if (!sent) throw new Error(`No statement with ${text} was sent.`);
  const explain = CompiledQuery.raw(`explain ${how} ${sent.sql}`, [...sent.parameters]);
  return (await on.executeQuery<Row>(explain)).rows;
}

const planOf = async (text: string): Promise<string> =>
  (await explained<Record<string, string>>("", text)).map((row) => row["QUERY PLAN"]).join("\n");

/** How many rows are read by the server's last statement that contains this text, including rows it drops. */
async function rowsRead(text: string): Promise<number> {
  const rows = await explained<{ "QUERY PLAN": [{ Plan: Plan }] }>("(analyze, format json)", text);
  const read = (plan: Plan): number => {
    const own = (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"];
    return Math.max(own, ...(plan.Plans ?? []).map(read));
  };
  return Math.max(...rows.map((row) => read(row["QUERY PLAN"][0].Plan)));
}

const page = { organizationId, limit: 50 };
const nobody = newId();

it.each<[what: string, from: string, list: () => Promise<unknown[]>]>([
  [
    "commands of a member who has none",
    'from "device_commands"',
    () => bob.client.agent.listCommands.query(page),
  ],
  [
    "commands of a device that has none",
    'from "device_commands"',
    () => ada.client.agent.listCommands.query({ ...page, deviceId: nobody }),
  ],
  [
    "commands of a rare status",
    'from "device_commands"',
    () => ada.client.agent.listCommands.query({ ...page, status: "lost" }),
  ],
  [
    "failed commands of some tools, that one person requested",
    'from "device_commands"',
    () =>
      ada.client.agent.listCommands.query({
        ...page,
        requestedBy: ada.user.id,
        status: "failed",
        tools: ["create_workspace", "start_agent_session"],
      }),
  ],
  [
    "agent sessions of a task that has none",
    'from "agent_sessions"',
    () => ada.client.agent.listSessions.query({ ...page, taskId: nobody }),
  ],
  [
    "agent sessions of a rare status",
    'from "agent_sessions"',
    () => ada.client.agent.listSessions.query({ ...page, status: "running" }),
  ],
  [
    "audit events of a rare action",
    'from "audit_events"',
    () => ada.client.organization.listAuditEvents.query({ ...page, action: "device.revoke" }),
  ],
  [
    "audit events of an actor who has none",
    'from "audit_events"',
    () => ada.client.organization.listAuditEvents.query({ ...page, actorId: nobody }),
  ],
  [
    "workspaces of a type that none has",
    'from "workspaces"',
    () => ada.client.workspace.list.query({ ...page, type: "main" }),
  ],
  [
    "tasks of a creator who has none",
    'from "tasks"',
    () => ada.client.task.list.query({ ...page, creatorId: bob.user.id }),
  ],
  [
    "tasks of two assignees who have none",
    'from "tasks"',
    () => ada.client.task.list.query({ ...page, assigneeIds: [ada.user.id, bob.user.id] }),
  ],
  [
    "tasks of two assignees who have none, by rank",
    'from "tasks"',
    () => ada.client.task.list.query({ ...page, order: "rank", assigneeIds: [ada.user.id, bob.user.id] }),
  ],
  [
    "tasks of two projects that have none, by rank",
    'from "tasks"',
    () => ada.client.task.list.query({ ...page, order: "rank", projectIds: [nobody, newId()] }),
  ],
  [
    "tasks of two statuses that have none, by rank",
    'from "tasks"',
    () => ada.client.task.list.query({ ...page, order: "rank", statuses: ["done", "canceled"] }),
  ],
  [
    "tasks with a label that is nowhere",
    'from "tasks"',
    () => ada.client.task.list.query({ ...page, labels: ["nowhere"] }),
  ],
  [
    "tasks with a text that is nowhere",
    'from "tasks"',
    () => ada.client.task.list.query({ ...page, search: "nowhere to be found" }),
  ],
])("%s are found without reading the others", async (_, from, list) => {
  expect(await list()).toEqual([]);
  expect(await rowsRead(from)).toBeLessThan(100);
});

/**
 * How many pages are read by the server's last statement that contains this text. It runs twice on one connection,
 * because the first time there also reads the catalog.
 */
async function pagesRead(text: string): Promise<number> {
  interface Explained {
    "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }];
  }
  const [row] = await db.connection().execute(async (connection) => {
    const explain = () => explained<Explained>("(analyze, buffers, format json)", text, connection);
    await explain();
    return explain();
  });
  const plan = row?.["QUERY PLAN"][0].Plan;
  return (plan?.["Shared Hit Blocks"] ?? 0) + (plan?.["Shared Read Blocks"] ?? 0);
}

it.each(["z", "zq", "->", "яблоко", "果園"])(
  "tasks with %s are found without reading the others",
  async (search) => {
    expect(await ada.client.task.list.query({ ...page, search })).toEqual([]);
    expect(await pagesRead("tasks_with_bigrams")).toBeLessThan(100);
  },
);

it("a search of few tasks reads none of their texts, even before the tables are analyzed", async () => {
  const eve = await server.signUp("Eve");
  // Texts that do not shrink when they are compressed, and so fill pages of their own.
  const text = sql`(select string_agg(chr(19968 + (random() * 20000)::int), '') from generate_series(1, 20000 + 0 * n))`;
  await sql`insert into tasks (id, organization_id, slug, title, search_text, status, priority, labels, created_at)
    select gen_random_uuid(), ${eve.organizationId}, 't' || n, 't', ${text}, 'todo', 'none', '{}', now()
    from generate_series(1, 20) as n`.execute(db);
  // New entries wait in a list of at most 4 MB, which every search reads. VACUUM empties it, also beside autovacuum.
  await sql`vacuum tasks`.execute(db);
  expect(await eve.client.task.list.query({ organizationId: eve.organizationId, search: "xy" })).toEqual([]);
  // One text alone takes eight pages, and its vector more.
  expect(await pagesRead("tasks_with_bigrams")).toBeLessThan(100);
  const [other] = await db
    .selectFrom("tasks")
    .select("id")
    .where("organization_id", "=", organizationId)
    .limit(1)
    .execute();
  const { rows } = await sql`select from tasks_with_bigrams(${eve.organizationId}, 'o', 100000)`.execute(db);
  expect(other).toBeDefined();
  expect(rows).toEqual([]);
});

it("tasks with a common label are read in their order", async () => {
  const listed = await ada.client.task.list.query({ ...page, labels: ["garden"] });
  expect(listed).toHaveLength(50);
  expect(await rowsRead('from "tasks"')).toBeLessThan(200);
  const rarer = await ada.client.task.list.query({ ...page, labels: ["garden", "label 7"] });
  expect(rarer).toHaveLength(50);
  expect(rarer.map(({ id }) => id)).toEqual(
    (await ada.client.task.list.query({ ...page, labels: ["label 7"] })).map(({ id }) => id),
  );
});

it("tasks with two common characters are read in their order, without their index", async () => {
  const before = server.statements.length;
  expect(await ada.client.task.list.query({ ...page, search: "RC" })).toHaveLength(50);
  expect(await rowsRead('from "tasks"')).toBeLessThan(200);
  expect(server.statements.slice(before).filter(({ sql }) => sql.includes("bigrams"))).toEqual([]);
  const count = { organizationId, search: "rc", atMost: 1_000 };
  expect(await ada.client.task.countByStatus.query(count)).toEqual([{ status: "todo", total: 1_000 }]);
});

it("a count by status reads only its index", async () => {
  expect(await ada.client.task.count.query({ organizationId, status: "todo" })).toEqual({ total: 20_000 });
  expect(await planOf("count(*)")).toContain("Index Only Scan using tasks_counted");
});

it("a count of tasks with a rare text reads few rows, too", async () => {
  const { total } = await ada.client.task.count.query({ organizationId, search: "orchard 19999" });
  expect(total).toBe(1);
  expect(await rowsRead("count(*)")).toBeLessThan(100);
});

it("a status that does not exist has no tasks, and nothing is read for it", async () => {
  const before = server.statements.length;
  expect(await ada.client.task.list.query({ ...page, status: "nowhere" })).toEqual([]);
  expect(await ada.client.task.count.query({ organizationId, status: "nowhere" })).toEqual({ total: 0 });
  expect(server.statements.slice(before).filter(({ sql }) => sql.includes('from "tasks"'))).toEqual([]);
});

it("a member's commands are those they requested and those of their devices, each once, page by page", async () => {
  const { id: deviceId } = await bob.client.device.register.mutate({
    organizationId,
    name: "b",
    platform: "linux",
  });
  const command = (requestedBy: string, ago: number) => ({
    id: newId(),
    organization_id: organizationId,
    device_id: deviceId,
    tool: "list_projects",
    params: "{}",
    status: "succeeded" as const,
    principal: "user",
    timeout_ms: 1,
    queue_expires_at: new Date(),
    requested_by: requestedBy,
    created_at: new Date(Date.UTC(2026, 0, 1) - ago * 1_000),
  });
  const commands = [1, 2, 3, 4, 5].map((ago) => command(ago % 2 === 0 ? ada.user.id : bob.user.id, ago));
  await db.insertInto("device_commands").values(commands).execute();
  const seen: string[] = [];
  for (let more = true; more; ) {
    const found = await bob.client.agent.listCommands.query({ organizationId, limit: 2, after: seen.at(-1) });
    seen.push(...found.map(({ id }) => id));
    more = found.length > 0;
  }
  expect(seen).toEqual(commands.map(({ id }) => id));
});

/** Makes a separate organization with 10 tasks that have this text. */
async function withText(text: string) {
  const eve = await server.signUp("Eve");
  await sql`insert into tasks (id, organization_id, slug, title, search_text, status, priority, labels, created_at)
    select gen_random_uuid(), ${eve.organizationId}, 't' || n, 't', ${text} || n, 'todo', 'none', '{}', now()
    from generate_series(1, 10) as n`.execute(db);
  return eve;
}

it.each([
  ["two letters", "x".repeat(50_000), "xy"],
  ["punctuation", "x".repeat(50_000), "a%b_c\\"],
  ["an emoji", "園".repeat(50_000), "🌳"],
  ["a text without three ASCII letters in a row", "園".repeat(50_000), `${"園".repeat(199)}林`],
])("a search of long texts for %s computes nothing of them", async (_, text, search) => {
  const { client, organizationId } = await withText(text);
  const before = server.statements.length;
  expect(await client.task.list.query({ organizationId, limit: 50, search })).toEqual([]);
  expect(await client.task.count.query({ organizationId, search })).toEqual({ total: 0 });
  const sent = server.statements.slice(before).map((statement) => statement.sql);
  expect(sent.some((statement) => statement.includes("tasks_with_bigrams("))).toBe(true);
  expect(sent.filter((statement) => /[^_]bigrams\(/.test(statement))).toEqual([]);
});

it.each([
  ["letters", "xxxx", 200],
  ["other characters", "園園", 200],
])("a long text of repeated %s is not compared at each place", async (_, repeated, length) => {
  const search = `${repeated.repeat(length).slice(0, length - 1)}y`;
  const block = `y${search.slice(0, length - 2)}`;
  const { client, organizationId } = await withText(block.repeat(200));
  expect(await client.task.list.query({ organizationId, limit: 50, search })).toEqual([]);
  const matching = await withText(`${search} and more`);
  expect(await matching.client.task.count.query({ organizationId: matching.organizationId, search })).toEqual(
    { total: 10 },
  );
  // LIKE gets short pieces, and the whole text is left to the regular expression.
  const { parameters } =
    server.statements.findLast((statement) => statement.sql.includes("search_text ~")) ?? {};
  const pieces = (parameters ?? []).map(String).filter((parameter) => parameter.startsWith("%"));
  for (const pattern of pieces)
    expect(Math.max(...pattern.split("%").map((piece) => piece.length))).toBeLessThanOrEqual(16);
  expect(parameters).toContain(`***=${search}`);
});

it("a long text is found, with its special characters and across the borders of its pieces", async () => {
  const title = "Rebuild the *whole* of orchard_path (50% done) \\o/ before [autumn] begins?";
  const { client, organizationId } = await server.signUp("Eve");
  await client.task.create.mutate({ organizationId, title });
  await client.task.create.mutate({ organizationId, title: title.replaceAll(" ", "  ") });
  for (const search of [title, title.slice(3), title.slice(0, 33), title.toUpperCase(), title.slice(9, 27)])
    expect((await client.task.list.query({ organizationId, search })).map((task) => task.title)).toEqual([
      title,
    ]);
});
