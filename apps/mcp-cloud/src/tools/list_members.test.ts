import { expect, it } from "vitest";
import { ask, newTenant } from "../testing/tool";

it("lists, searches and pages through the organization's people", async () => {
  const ada = await newTenant("ada");
  const bob = await newTenant("bob");
  const { organizationId } = ada;
  const invited = await ada.client.organization.invite.mutate({
    organizationId,
    email: bob.email,
    role: "admin",
  });
  await bob.client.organization.acceptInvitation.mutate({ token: invited.token });
  const rows = [
    { userId: bob.userId, name: "bob", email: bob.email, role: "admin" },
    { userId: ada.userId, name: "ada", email: ada.email, role: "owner" },
  ];
  expect((await ask(ada, "list_members")).data).toEqual({ members: rows, total: 2, next: null });
  const found = await ask(ada, "list_members", { search: bob.email.slice(0, 12).toUpperCase() });
  expect(found.data).toEqual({ members: [rows[0]], total: 1, next: null });
  const first = await ask(ada, "list_members", { limit: 1 });
  expect(first.data).toEqual({ members: [rows[0]], total: 2, next: bob.userId });
  const second = await ask(ada, "list_members", { limit: 1, after: bob.userId });
  expect(second.data).toEqual({ members: [rows[1]], total: 2, next: null });
});
