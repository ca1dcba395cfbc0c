import { randomUUID } from "node:crypto";
import { gitHubToken, HostedRepository } from "@grove/integrations/testing";
import { accessibilityProblems } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { someone } from "./testing/people";
import { useProviders } from "./testing/providers";

const providers = await useProviders();
const journey = useJourney(providers.env);
const head = "a".repeat(40);

it("adds an approved commit to the merge queue, and shows that until the queue has merged it", async () => {
  const { page, client, organizationId } = await someone(journey);
  const hosted = new HostedRepository("acme", "shop");
  hosted.hasQueue = true;
  hosted.branches.set("sign-in", head);
  hosted.open({ title: "Sign in", body: "", draft: false, head: "sign-in", base: "main" });
  providers.hosted.push(hosted);
  const baseUrl = providers.gitHubUrl;
  await client.integration.connect.mutate({
    organizationId,
    provider: "github",
    token: gitHubToken,
    baseUrl,
  });
  const repoUrl = `${baseUrl.replace("http:", "https:")}/acme/shop.git`;
  const project = { name: "shop", slug: "shop", repoUrl, repoOwner: "acme", repoName: "shop" };
  const workspace = {
    id: randomUUID(),
    name: "sign-in",
    type: "worktree",
    config: { branchName: "sign-in" },
  } as const;
  await client.workspace.ensure.mutate({ organizationId, project, workspace });

  await page.getByRole("link", { name: "Workspaces" }).click();
  await page.getByRole("link", { name: "sign-in" }).first().click();
  const panel = page.getByRole("region", { name: "Pull request" });
  const dialog = page.getByRole("dialog", { name: "Add #1 to the merge queue?" });
  await panel.getByRole("button", { name: "Approve aaaaaaaa" }).click();
  await panel.getByRole("button", { name: "Add to the merge queue" }).click();
  await dialog.getByText("Commit aaaaaaaa is added to the merge queue of main at the code host.").waitFor();
  expect(await dialog.getByRole("combobox", { name: "Method" }).count()).toBe(0);
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Add to the queue" }).click();
  await page.getByText("Added #1 to the merge queue of main.").waitFor();
  await panel.getByText("In the merge queue of the code host (asked by Ada Lovelace, just now)").waitFor();
  expect([...hosted.queue.values()]).toEqual([head]);
  expect(await panel.getByRole("button", { name: "Add to the merge queue" }).count()).toBe(0);
  const [change] = await client.workspace.change.list.query({ organizationId, workspaceId: workspace.id });
  expect(change?.workState).toBe("merging");

  hosted.mergeQueued();
  await panel.getByText("Merged", { exact: true }).waitFor();
});
