import type { Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";
import { openShell } from "./testing/workbench";

const journey = useJourney();

it("names another user who types into the same terminal", async () => {
  const { page, client, organizationId, device, address } = await openShell(journey, "clear; cat");
  const bob = await someone(journey);
  const { token } = await client.organization.invite.mutate({
    organizationId,
    email: bob.email,
    role: "admin",
  });
  await bob.client.organization.acceptInvitation.mutate({ token });
  await client.device.update.mutate({ organizationId, id: device.id, shared: true });
  await bob.page.goto(address);
  await bob.page.getByText("Read-only").waitFor();

  await page.bringToFront();
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  /** Keeps typing until another page names its user. */
  const typeUntilNamed = (typingPage: Page, other: Page, text: string) =>
    expect
      .poll(async () => {
        await typingPage.keyboard.press("x");
        return other.getByText(text, { exact: true }).count();
      })
      .toBe(1);
  await typeUntilNamed(page, bob.page, "Ada Lovelace is typing");
  await bob.page.bringToFront();
  await bob.page.keyboard.press("i");
  await bob.page.getByText("Typing", { exact: true }).waitFor();
  await typeUntilNamed(bob.page, page, "Ada Lovelace is typing too");
  // The name disappears when the other user stops.
  await page.getByText("is typing too").waitFor({ state: "detached" });
});
