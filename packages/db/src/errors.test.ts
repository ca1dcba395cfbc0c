import { toError } from "@grove/schemas";
import { sql } from "kysely";
import { expect, it } from "vitest";
import {
  ConnectionTimeoutError,
  describeUnavailable,
  isForeignKeyViolation,
  isNotBegun,
  isSerializationFailure,
  isStatementTimeout,
  isUnavailable,
  isUniqueViolation,
  whyNotOpen,
} from "./errors";
import { newId } from "./ids";
import { useTestDatabase } from "./testing";

const { db } = await useTestDatabase();

const organization = () => ({ id: newId(), name: "Acme", slug: "acme" });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

it("recognizes a unique violation, and its constraint", async () => {
  await db.insertInto("organizations").values(organization()).execute();
  const error = await failure(db.insertInto("organizations").values(organization()).execute());
  expect(isUniqueViolation(error)).toBe(true);
  expect(isUniqueViolation(error, "organizations_slug")).toBe(true);
  expect(isUniqueViolation(error, "organizations_pkey")).toBe(false);
  expect(isForeignKeyViolation(error)).toBe(false);
});

it("recognizes a foreign key violation, and its constraint", async () => {
  const membership = { organization_id: newId(), user_id: newId(), role: "member" } as const;
  const error = await failure(db.insertInto("memberships").values(membership).execute());
  expect(isForeignKeyViolation(error)).toBe(true);
  expect(isForeignKeyViolation(error, "memberships_organization_id_fkey")).toBe(true);
  expect(isForeignKeyViolation(error, "memberships_user_id_fkey")).toBe(false);
  expect(isUniqueViolation(error)).toBe(false);
});

it("recognizes a transaction that may be retried", async () => {
  const error = await failure(sql`do $$ begin raise serialization_failure; end $$`.execute(db));
  expect(isSerializationFailure(error)).toBe(true);
  expect(isSerializationFailure(await failure(sql`select 1 / 0`.execute(db)))).toBe(false);
  expect(isSerializationFailure(new Error("40001"))).toBe(false);
});

it.each(["53100", "53200", "53300", "25006", "57P03"])(
  "recognizes a database that takes nothing now, and has done nothing (%s)",
  async (code) => {
    const error = await failure(
      sql`do $$ begin raise exception 'not now' using errcode = '${sql.raw(code)}'; end $$`.execute(db),
    );
    expect(isUnavailable(error)).toBe(true);
    expect(isNotBegun(error)).toBe(true);
  },
);

it("recognizes that a statement which got no connection has done nothing", () => {
  const error = new ConnectionTimeoutError(15_000);
  expect([isUnavailable(error), isNotBegun(error)]).toEqual([true, true]);
});

it("does not claim that a lost connection has done nothing", () => {
  const error = new Error("Connection terminated unexpectedly");
  expect([isUnavailable(error), isNotBegun(error)]).toEqual([true, false]);
});

it("recognizes a statement that waited too long for a lock", async () => {
  const error = await failure(sql`do $$ begin raise lock_not_available; end $$`.execute(db));
  expect(isStatementTimeout(error)).toBe(true);
  expect(isUnavailable(error)).toBe(false);
});

it("keeps parameters, which may be secrets, out of the fields that a log would show", async () => {
  const error = await failure(sql`select ${"hunter2"}::int`.execute(db));
  const { message, ...fields } = toError(error);
  expect(message).toContain("invalid input syntax");
  expect(JSON.stringify(fields)).not.toContain("hunter2");
});

it.each([
  ["disk_full", "53100"],
  ["out_of_memory", "53200"],
  ["too_many_connections", "53300"],
  ["read_only_sql_transaction", "25006"],
  ["admin_shutdown", "57P01"],
])("recognizes that %s (%s) is no fault of the statement", async (condition) => {
  const raise = sql.raw(`do $$ begin raise ${condition}; end $$`);
  expect(isUnavailable(await failure(raise.execute(db)))).toBe(true);
});

it.each([
  ["53100", /disk is full/],
  ["53200", /out of memory/],
  ["53300", /no free connection/],
  ["25006", /read-only/],
  ["57P03", /shutting down or starting/],
  ["08006", /cannot be reached/],
])("describes why the database does not answer (%s)", (code, words) => {
  expect(describeUnavailable(Object.assign(new Error("away"), { code }))).toMatch(words);
});

it("describes that no connection became free, also that of a pool", () => {
  const words = "No database connection became free in time. Try again soon.";
  expect(describeUnavailable(new ConnectionTimeoutError(15_000))).toBe(words);
  expect(describeUnavailable(new Error("timeout exceeded when trying to connect"))).toBe(words);
  expect(describeUnavailable(new Error("Connection terminated"))).toMatch("cannot be reached");
});

it("recognizes that no connection became free", () => {
  expect(isUnavailable(new ConnectionTimeoutError(15_000))).toBe(true);
  expect(isUnavailable(new Error("select 1 failed"))).toBe(false);
});

it.each([
  [{ code: "EACCES", errno: -13 }, "this user cannot access its files. Make this user their owner"],
  [{ code: "EPERM", errno: -1 }, "this user cannot change its files. Make this user their owner"],
  [{ code: "EROFS", errno: -30 }, "the file system is read-only. Make it writable"],
  [{ code: "ENOSPC", errno: -28 }, "the disk is full. Free some space"],
  // PGlite throws this error without a message.
  [{ errno: 51 }, "the disk is full. Free some space"],
])("reports that the file system prevents opening the embedded database: %j", (thrown, reason) => {
  expect(whyNotOpen("/data/pgdata", thrown).message).toBe(
    `The embedded database in /data/pgdata cannot be opened: ${reason}, or choose another DATA_DIR.`,
  );
});

it.each([{ message: "not a database" }, { code: "XX001", errno: 51, message: "not a database" }])(
  "advises a backup only for damaged files: %j",
  (thrown) => {
    expect(whyNotOpen("/data/pgdata", thrown).message).toMatch(
      /^The embedded database in \/data\/pgdata does not open \(not a database\)\. Restore /,
    );
  },
);
