import { expect, it } from "vitest";
import { ask, newTenant } from "../testing/tool";

it("lists machines, their owners, and which ones the caller may use", async () => {
  const ada = await newTenant("ada");
  const bob = await newTenant("bob");
  const { organizationId } = ada;
  const invite = { organizationId, email: bob.email, role: "member" } as const;
  const { token } = await ada.client.organization.invite.mutate(invite);
  await bob.client.organization.acceptInvitation.mutate({ token });
  for (const [{ client }, name] of [
    [ada, "laptop"],
    [bob, "tower"],
  ] as const)
    await client.device.register.mutate({ organizationId, name, platform: "linux" });
  expect((await ask(ada, "list_devices")).data).toMatchObject({
    devices: [
      { name: "tower", owner: { userId: bob.userId, name: "bob", isYou: false }, canExecute: false },
      { name: "laptop", owner: { userId: ada.userId, name: "ada", isYou: true }, canExecute: true },
    ],
    total: 2,
  });
});
