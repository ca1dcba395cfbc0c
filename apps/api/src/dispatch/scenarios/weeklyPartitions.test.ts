import { firstIdAt, newId, partitionsOf } from "@grove/db";
import { DAY_MS } from "@grove/schemas";
import { CompiledQuery, sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { dropCommands } from "../../maintenance/dropCommands";
import type { TestDevice } from "../../testing/device";
import { useOwnDevices } from "../../testing/ownDevices";
import { useTestServer } from "../../testing/server";
import { claim } from "../stream/openRows";

const server = await useTestServer();
const { db } = server.database;
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { online, register, execute } = useOwnDevices(server, ada);
const complete = ({ id }: { id: string }, { client, journalId }: TestDevice) =>
  client.agent.complete.mutate({ id, journalId, result: { projects: [] } });

describe("the plan of", () => {
  /** The server's last statement with all of these texts. */
  const sentWith = (...texts: string[]) => {
    const sent = server.statements.findLast((one) => texts.every((text) => one.sql.includes(text)));
    if (!sent) throw new Error(`No statement with ${texts.join()} was sent.`);
    return sent;
  };
  /** The partitions in a statement's generic plan. */
  const partsIn = ({ sql: text, parameters }: CompiledQuery) =>
    db.connection().execute(async (connection) => {
      const run = (statement: string) =>
        connection.executeQuery<Record<string, string>>(CompiledQuery.raw(statement));
      await run("set plan_cache_mode = force_generic_plan");
      await run(`prepare planned as ${text}`);
      const values = parameters.length > 0 ? `(${parameters.map(() => "null").join()})` : "";
      const { rows } = await run(`explain (verbose) execute planned${values}`);
      await run("deallocate planned");
      await run("reset plan_cache_mode");
      const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
      return [...new Set(plan.match(/ on (public\.)?device_commands_\w+/g))];
    });

  beforeAll(async () => {
    const { id } = await online({ run: complete });
    for (let count = 0; count < 4; count++) await execute(id);
    const stream = server.services.dispatch.streams.of(id)?.stream;
    if (!stream) throw new Error("The device has no stream.");
    expect(await claim(server.services, stream, true)).toEqual([]);
  });

  it.each([
    ["a submission", () => sentWith("insert into device_commands")],
    ["an end", () => sentWith("update device_commands as command")],
    ["a claim", () => sentWith("for share),\n    next as", 'device_commands"."id" >= \'')],
  ])("%s touches two partitions at most", async (_, sent) => {
    const parts = await partsIn(sent());
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.length).toBeLessThanOrEqual(2);
  });

  it("a full page of commands reads only two partitions", async () => {
    const reads = () =>
      server.statements.filter(({ sql: text }) => /from "device_commands".*bytes_before </s.test(text))
        .length;
    const before = reads();
    expect(await ada.client.agent.listCommands.query({ organizationId, limit: 2 })).toHaveLength(2);
    expect(reads()).toBe(before + 1);
    expect(await partsIn(sentWith('from "device_commands"'))).toHaveLength(2);
    const all = await ada.client.agent.listCommands.query({ organizationId, limit: 50 });
    expect(all).toHaveLength(4);
    expect((await partsIn(sentWith('from "device_commands"'))).length).toBeGreaterThan(2);
    const rest = await ada.client.agent.listCommands.query({ organizationId, limit: 2, after: all[1]?.id });
    expect(rest).toEqual(all.slice(2));
  });
});

/** A settled command, made at this time. */
async function settled(at: number, values: Record<string, unknown> = {}): Promise<string> {
  const id = `${firstIdAt(new Date(at)).slice(0, 14)}7000-8000-${newId().slice(-12)}`;
  const { id: deviceId } = await register();
  await db
    .insertInto("device_commands")
    .values({
      id,
      organization_id: organizationId,
      device_id: deviceId,
      tool: "list_projects",
      params: "{}",
      status: "succeeded",
      result: '{"kept":true}',
      principal: "user:x",
      timeout_ms: 1,
      queue_expires_at: new Date(at),
      created_at: new Date(at),
      finished_at: new Date(at),
      ...values,
    })
    .execute();
  return id;
}
const rowOf = (id: string) =>
  db.selectFrom("device_commands").selectAll().where("id", "=", id).executeTakeFirst();

it("makes one command for a key across all partitions, until the key is free", async () => {
  const key = { idempotency_key: newId(), status: "queued", finished_at: null, created_at: new Date() };
  const first = await settled(Date.now(), key);
  const again = await settled(Date.now() + 8 * DAY_MS, key);
  expect(await rowOf(again)).toBeUndefined();
  await sql`update device_commands set idempotency_key = null where id = ${first}`.execute(db);
  expect(await rowOf(await settled(Date.now() + 8 * DAY_MS, key))).toBeDefined();
});

it("deletes commands with their device", async () => {
  const id = await settled(Date.now());
  const row = await rowOf(id);
  await db
    .deleteFrom("devices")
    .where("id", "=", row?.device_id ?? "")
    .execute();
  expect(await rowOf(id)).toBeUndefined();
});

it("a week is dropped when its last command ended a month ago, and none in it is open", async () => {
  const [part] = await partitionsOf(db, "device_commands");
  const bound = part?.to.getTime() ?? 0;
  const isThere = async () =>
    (await partitionsOf(db, "device_commands")).some(({ name }) => name === part?.name);
  const early = await settled(bound - 2 * DAY_MS);
  const live = await settled(bound - 3 * DAY_MS, { status: "queued", finished_at: null });
  await dropCommands(db, new Date(bound + 29 * DAY_MS));
  await dropCommands(db, new Date(bound + 90 * DAY_MS));
  expect(await isThere()).toBe(true);
  const finished_at = new Date(bound + 10 * DAY_MS);
  await db
    .updateTable("device_commands")
    .set({ status: "expired", finished_at })
    .where("id", "=", live)
    .execute();
  await dropCommands(db, new Date(bound + 39 * DAY_MS));
  expect(await rowOf(early)).toBeDefined();
  await dropCommands(db, new Date(bound + 41 * DAY_MS));
  expect(await isThere()).toBe(false);
  expect(await rowOf(early)).toBeUndefined();
});
