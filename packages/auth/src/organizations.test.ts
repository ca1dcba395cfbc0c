import { newId } from "@grove/db";
import { useTestDatabase } from "@grove/db/testing";
import { beforeAll, expect, it } from "vitest";
import { createOrganization, type NewOrganization } from "./organizations";
import { refusal } from "./testing";

const { db } = await useTestDatabase();
const ownerId = newId();
const create = (options: Omit<NewOrganization, "ownerId">) =>
  db.transaction().execute((trx) => createOrganization(trx, { ...options, ownerId }));

beforeAll(async () => {
  await db.insertInto("users").values({ id: ownerId, email: "ada@example.com", name: "Ada" }).execute();
});

it("makes its creator its owner", async () => {
  const organization = await create({ name: "Acme Tools" });
  expect(organization).toMatchObject({ name: "Acme Tools", slug: "acme-tools" });
  const members = await db
    .selectFrom("memberships")
    .select(["user_id", "role"])
    .where("organization_id", "=", organization.id)
    .execute();
  expect(members).toEqual([{ user_id: ownerId, role: "owner" }]);
});

it("gives it the statuses that every organization's tasks start with", async () => {
  const organization = await create({ name: "Acme Tools" });
  const statuses = await db
    .selectFrom("task_statuses")
    .select(["key", "type"])
    .where("organization_id", "=", organization.id)
    .orderBy("position")
    .execute();
  expect(statuses.map(({ key, type }) => `${key} ${type}`)).toEqual([
    "backlog backlog",
    "todo unstarted",
    "in_progress started",
    "in_review started",
    "done completed",
    "canceled canceled",
  ]);
});

it("finds a free slug for each of many that are created together", async () => {
  const created = await Promise.all(Array.from({ length: 10 }, () => create({ name: "東京" })));
  const slugs = created.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(10);
  expect(slugs.filter((slug) => slug === "dongjing")).toHaveLength(1);
  for (const slug of slugs) expect(slug).toMatch(/^dongjing(-[0-9a-f]{8})?$/);
});

it("takes the requested slug, or reports that it is taken and creates nothing", async () => {
  expect(await create({ name: "Acme", slug: "the-acme" })).toMatchObject({ slug: "the-acme" });
  expect(await refusal(create({ name: "Second", slug: "the-acme" }))).toMatchObject({
    code: "CONFLICT",
    reason: "slug_taken",
  });
  expect(await db.selectFrom("organizations").where("name", "=", "Second").selectAll().execute()).toEqual([]);
});
