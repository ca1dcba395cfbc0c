import type { ReadyEvent, TaskEvent } from "@grove/schemas";
import { expect, it } from "vitest";
import { failure, useTestServer } from "../../testing/server";
import { watch } from "../../testing/watch";

const server = await useTestServer();
const ada = await server.signUp("Ada");

it("a new person owns a personal organization", async () => {
  const organizations = await ada.client.organization.list.query();
  expect(organizations).toMatchObject([{ id: ada.organizationId, role: "owner", image: "" }]);
});

it("lists none for a user who is in none", async () => {
  const eve = await server.signUp("Eve");
  const [own] = await eve.client.organization.list.query();
  await eve.client.organization.delete.mutate({
    organizationId: eve.organizationId,
    confirmSlug: own?.slug ?? "",
  });
  expect(await eve.client.organization.list.query()).toEqual([]);
});

it("gets a slug from its name, in any script, and a different one if that is taken", async () => {
  const name = "Обсерватория 天文台";
  const [first, second] = await Promise.all([
    ada.client.organization.create.mutate({ name }),
    ada.client.organization.create.mutate({ name }),
  ]);
  expect(first.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(second.slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(first.slug).not.toBe(second.slug);
});

it("refuses a slug that is taken, wherever it is", async () => {
  const { slug } = await ada.client.organization.create.mutate({ name: "Orchard" });
  const eve = await server.signUp("Eve");
  const answer = await failure(eve.client.organization.create.mutate({ name: "Mine", slug }));
  expect(answer).toMatchObject({ code: "CONFLICT", reason: "slug_taken" });
  expect(answer.message).toContain(slug);
});

it("is audited with its creation", async () => {
  const { id } = await ada.client.organization.create.mutate({ name: "Audited" });
  const events = await server.database.db
    .selectFrom("audit_events")
    .selectAll()
    .where("organization_id", "=", id)
    .execute();
  expect(events).toMatchObject([
    { action: "organization.create", actor_kind: "user", actor_id: ada.user.id },
  ]);
});

it("is read and changed, field by field", async () => {
  const { id: organizationId, slug } = await ada.client.organization.create.mutate({ name: "Before" });
  const image = "https://example.com/logo.png";
  await ada.client.organization.update.mutate({ organizationId, name: "After", image });
  expect(await ada.client.organization.get.query({ organizationId })).toMatchObject({
    id: organizationId,
    name: "After",
    slug,
    image,
    role: "owner",
  });
  const taken = await ada.client.organization.create.mutate({ name: "Taken" });
  const call = ada.client.organization.update.mutate({ organizationId, slug: taken.slug });
  expect(await failure(call)).toMatchObject({ code: "CONFLICT", reason: "slug_taken" });
});

it("is deleted only with its slug, with its keys and devices", async () => {
  const { id: organizationId, slug } = await ada.client.organization.create.mutate({ name: "Short" });
  const { key } = await ada.client.apiKey.create.mutate({ organizationId, name: "ci" });
  const watcher = watch<TaskEvent | ReadyEvent>((handlers) =>
    ada.client.task.watch.subscribe({ organizationId }, handlers),
  );
  await watcher.ready();
  const remove = (confirmSlug: string) =>
    ada.client.organization.delete.mutate({ organizationId, confirmSlug });
  expect(await failure(remove("short-lived"))).toMatchObject({
    code: "BAD_REQUEST",
    reason: "confirmation_mismatch",
  });
  const ended = failure(watcher.event(() => false));
  await remove(slug);
  expect(await ended).toMatchObject({ code: "UNAUTHORIZED" });
  expect(await failure(server.client(key).user.get.query())).toMatchObject({ code: "UNAUTHORIZED" });
  expect(await failure(ada.client.organization.get.query({ organizationId }))).toMatchObject({
    reason: "not_a_member",
  });
});
