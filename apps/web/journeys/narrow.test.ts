import type { Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { startOpenChange } from "./testing/openChange";
import { someone } from "./testing/people";
import { useProviders } from "./testing/providers";

const providers = await useProviders();
const journey = useJourney(providers.env);

/** A phone. */
const PHONE = { width: 360, height: 740 };
/** Words without a place to break a line, as long as the names of branches become. */
const LONG = "remember-the-address-of-the-person-who-signs-in-and-never-the-password";

/** The texts that are cut off without an ellipsis or a title. A text that can be scrolled to is not cut off. */
const cutTexts = (page: Page) =>
  page.evaluate(() => {
    const cut: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (!parent || node.textContent?.trim() === "") continue;
      if (!parent.checkVisibility({ visibilityProperty: true }) || parent.closest(".xterm")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const { left, right } = range.getBoundingClientRect();
      for (let box: Element | null = parent; box; box = box.parentElement) {
        const { overflowX, textOverflow } = getComputedStyle(box);
        if (overflowX === "auto" || overflowX === "scroll") break;
        const { left: start, right: end } = box.getBoundingClientRect();
        // Only for screen readers.
        if (end - start <= 1) break;
        const clips = overflowX !== "visible" || box === document.body;
        if (!clips || (left >= start - 1 && right <= end + 1)) continue;
        if (textOverflow !== "ellipsis" && !parent.closest("[title]"))
          cut.push(`${node.textContent} in ${box.tagName} ${box.className}`);
        break;
      }
    }
    return cut;
  });

it("shows every page on a phone, with long names, without scrolling sideways and without cut texts", async () => {
  const change = await startOpenChange(journey, providers, {
    project: `Orchard ${LONG}`,
    workspace: LONG,
    branch: `feature/${LONG}`,
    task: `Sign in: ${LONG} ${LONG}`,
    file: `src/${LONG}/${LONG}.ts`,
  });
  const { page, root, workspaceId, task, sessionId, device, project } = change;
  await page.setViewportSize(PHONE);
  const workspace = `${root}/workspaces/${workspaceId}`;
  const pages: [path: string, text: string][] = [
    [change.changes, "Ask for changes (2)"],
    [`${workspace}?side=files&only=changes`, "src"],
    [`${workspace}?side=overview&only=changes`, "Uncommitted changes"],
    [`${workspace}?only=terminals`, "Read-only"],
    [root, "Changes waiting for you"],
    [`${root}/tasks`, task.title],
    [`${root}/tasks?view=list`, task.title],
    [`${root}/tasks/${task.slug}`, task.title],
    [`${root}/projects`, project.slug],
    [`${root}/projects/${project.slug}`, LONG],
    [`${root}/projects/${project.slug}?tab=tasks`, task.title],
    [`${root}/projects/${project.slug}?tab=secrets`, "Secrets"],
    [`${root}/projects/${project.slug}?tab=scripts`, "Setup scripts"],
    [`${root}/workspaces`, LONG],
    [`${root}/workspaces/new`, "Prompt"],
    [`${root}/agents`, "shell"],
    [`${root}/agents?view=grid`, "shell"],
    [`${root}/agents/new`, "Prompt"],
    [`${root}/agents/${sessionId}`, "Read-only"],
    [`${root}/devices`, device.name],
    [`${root}/devices/add`, "With a code"],
    [`${root}/devices/${device.id}`, LONG],
    [`${root}/devices/${device.id}?tab=agents`, "shell"],
    [`${root}/devices/${device.id}?tab=commands`, "Create workspaces"],
    [`${root}/members`, "Ada Lovelace"],
    [`${root}/keys`, "API keys"],
    [`${root}/notifications`, "Notifications"],
    [`${root}/settings`, "Short name"],
    [`${root}/settings?tab=integrations`, "Accounts"],
    [`${root}/settings?tab=audit`, "Audit log"],
    [`${root}/settings?tab=usage`, "Retention"],
    ["/account", "Preferences in this browser"],
  ];
  const problems: string[] = [];
  for (const [path, text] of pages) {
    await page.goto(journey.api.url + path);
    // The parts above the changes load one after another.
    const parts = path === change.changes ? [text, "1 failed, 1 passed"] : [text];
    for (const part of parts) await page.getByText(part).first().waitFor({ state: "attached" });
    if (path === change.changes) await change.runGate();
    await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
    const { scrollWidth, clientWidth } = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return { scrollWidth, clientWidth };
    });
    if (scrollWidth > clientWidth) problems.push(`${path} scrolls sideways: ${scrollWidth}`);
    problems.push(...(await cutTexts(page)).map((cut) => `${path}: ${cut}`));
  }
  expect(problems).toEqual([]);
});

it("keeps tabs in one row that scrolls, with the current one in view, also by keyboard", async () => {
  const { page, client, organizationId } = await someone(journey);
  const repository = { repoOwner: "acme", repoName: "orchard", repoUrl: "https://example.com/acme/orchard" };
  const project = await client.project.create.mutate({
    organizationId,
    name: "Orchard",
    slug: "orchard",
    ...repository,
  });
  const [organization] = await client.organization.list.query();
  const root = `/o/${organization?.slug}`;
  await page.setViewportSize(PHONE);
  for (const [path, label, first, last] of [
    [`/projects/${project.slug}?tab=scripts`, "About this project", "Workspaces", "Setup scripts"],
    ["/settings?tab=usage", "Settings", "General", "Usage"],
  ] as const) {
    await page.goto(journey.api.url + root + path);
    const bar = page.getByRole("navigation", { name: label });
    const tab = (name: string) => bar.getByRole("link", { name });
    const isInView = (name: string) =>
      tab(name).evaluate((link) => {
        const { left, right } = link.getBoundingClientRect();
        return left >= 0 && right <= innerWidth;
      });
    await expect.poll(() => isInView(last)).toBe(true);
    const tops = await bar
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    await tab(last).focus();
    for (let back = 1; back < tops.length; back++) await page.keyboard.press("Shift+Tab");
    await expect.poll(() => isInView(first)).toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => tab(first).getAttribute("aria-current")).toBe("page");
    expect(await isInView(first)).toBe(true);
  }
});
