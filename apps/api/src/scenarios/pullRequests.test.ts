import { newId } from "@grove/db";
import { useProviders } from "@grove/integrations/testing";
import type { Task } from "@grove/schemas";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectFields } from "../testing/fixtures";
import type { ForgePull } from "../testing/forge/deliveries";
import { type ForgeRepository, useForge } from "../testing/forge/forge";
import { useTestServer } from "../testing/server";
import { useWorker } from "../testing/worker";

const providers = await useProviders();
const server = await useTestServer({
  publicUrl: "https://grove.example.com",
  integrations: providers.options,
});
const ada = await server.signUp("Ada");
const { organizationId } = ada;
const { integration, project, task, workspace } = ada.client;
const worker = await useWorker(server, ada);
afterAll(() => worker.disconnect());

type Scenario = Awaited<ReturnType<typeof begin>>;
let newRepository: Awaited<ReturnType<typeof useForge>>;

/** A repository with its project, and the tasks of one script. */
async function begin() {
  const tasks: Task[] = [];
  let clock = 0;
  const addRepository = async (name = `shop-${newId()}`) => {
    const repository = await newRepository({ owner: "acme", name });
    const fields = {
      ...projectFields(),
      repoOwner: "acme",
      repoName: name,
      repoUrl: `${repository.page}.git`,
    };
    const { id: projectId } = await project.create.mutate({ organizationId, ...fields });
    return { repository, fields, projectId };
  };
  const first = await addRepository();
  const newTask = async (fields: object = {}) => {
    const made = await task.create.mutate({ organizationId, title: "A task", ...fields });
    tasks.push(made);
    return made;
  };
  return {
    ...first,
    addRepository,
    newTask,
    /** A task on whose branch an agent works. */
    work: async (branch: string, on = first) => {
      const made = await newTask({ projectId: on.projectId });
      await worker.begin(on.fields, branch, made.id);
      return made;
    },
    /** Posts a delivery, by default a second after the last. */
    deliver: async (
      action: ForgePull["action"],
      head: string,
      { on = first.repository, number = 1, ...more }: Partial<ForgePull> & { on?: ForgeRepository } = {},
    ) => {
      clock += 1;
      const again = await on.deliver({ action, head, number, at: clock, ...more });
      await settled();
      return async () => {
        await again();
        await settled();
      };
    },
    reopen: (id: string) => task.update.mutate({ organizationId, id, status: "in_progress" }),
    /** Expects that these tasks are completed, and no others. */
    expectCompleted: async (...expected: Task[]) => {
      const now = await Promise.all(tasks.map(({ id }) => task.get.query({ organizationId, id })));
      const completed = now.filter(({ statusType }) => statusType === "completed").map(({ id }) => id);
      expect(completed).toEqual(tasks.filter((one) => expected.includes(one)).map(({ id }) => id));
    },
    changesOf: (taskId: string) => workspace.change.list.query({ organizationId, taskId }),
    mergesOf: async (id: string) => {
      const entries = await task.listActivity.query({ organizationId, id });
      return entries.flatMap(({ changes }) => changes?.mergedInto ?? []);
    },
  };
}

/** Waits until all deliveries are processed, and expects that all could be. */
const settled = async () => {
  const statuses = async () => {
    const rows = await server.database.db
      .selectFrom("integration_events")
      .select("status")
      .where("status", "<>", "processed")
      .execute();
    return rows.map(({ status }) => status);
  };
  await expect.poll(statuses, { interval: 5 }).toEqual([]);
};

const scripts: Record<string, (s: Scenario) => Promise<void>> = {
  "an opened, pushed and merged pull completes its task": async (s) => {
    const one = await s.work("work");
    await s.deliver("opened", "work");
    await s.deliver("pushed", "work");
    await s.expectCompleted();
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "a merge whose other deliveries were lost": async (s) => {
    const one = await s.work("work");
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "a pull that is closed without a merge": async (s) => {
    await s.work("work");
    await s.deliver("opened", "work");
    await s.deliver("closed", "work");
    await s.expectCompleted();
  },
  "a pull that is closed, reopened and merged": async (s) => {
    const one = await s.work("work");
    for (const action of ["opened", "closed", "reopened"] as const) await s.deliver(action, "work");
    await s.expectCompleted();
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "a draft": async (s) => {
    const one = await s.work("work");
    await s.deliver("opened", "work", { state: "draft" });
    expect((await s.changesOf(one.id))[0]?.pullRequest?.state).toBe("draft");
    await s.deliver("edited", "work");
    await s.expectCompleted();
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "a canceled task": async (s) => {
    const one = await s.work("work");
    await task.update.mutate({ organizationId, id: one.id, status: "canceled" });
    await s.deliver("merged", "work");
    await s.expectCompleted();
  },
  "a task without a change, by its pull's address": async (s) => {
    const one = await s.newTask({ projectId: s.projectId });
    await task.update.mutate({ organizationId, id: one.id, prUrl: s.repository.urlOf(1) });
    await s.deliver("opened", "some-branch");
    await s.expectCompleted();
    await s.deliver("merged", "some-branch");
    await s.expectCompleted(one);
  },
  "a pull that closes two tasks": async (s) => {
    const [one, other] = [await s.newTask(), await s.newTask()];
    await s.deliver("merged", "x", { body: `Closes task ${one.slug}, closes task ${other.slug}` });
    await s.expectCompleted(one, other);
  },
  "two tasks with changes of their own": async (s) => {
    const [one, other] = [await s.work("one"), await s.work("other")];
    await s.deliver("merged", "one", { number: 1 });
    await s.expectCompleted(one);
    await s.deliver("merged", "other", { number: 2 });
    await s.expectCompleted(one, other);
  },
  "stack: the merge of the lower pull completes the upper one's task": async (s) => {
    const [a, b] = [await s.work("feature-a"), await s.work("feature-b")];
    await s.deliver("opened", "feature-a", { number: 1 });
    await s.deliver("opened", "feature-b", { number: 2, base: "feature-a" });
    await s.deliver("merged", "feature-b", { number: 2, base: "feature-a" });
    await s.expectCompleted();
    expect(await s.mergesOf(b.id)).toEqual([{ from: "feature-b", to: "feature-a" }]);
    await s.deliver("merged", "feature-a", { number: 1 });
    await s.expectCompleted(a, b);
  },
  "stack of three": async (s) => {
    const [a, b, c] = [await s.work("a"), await s.work("b"), await s.work("c")];
    await s.deliver("merged", "c", { number: 3, base: "b" });
    await s.deliver("merged", "b", { number: 2, base: "a" });
    await s.expectCompleted();
    await s.deliver("merged", "a", { number: 1 });
    await s.expectCompleted(a, b, c);
  },
  "stack: a merge into a branch that was merged before": async (s) => {
    const [a] = [await s.work("feature-a"), await s.work("feature-b")];
    await s.deliver("merged", "feature-a", { number: 1 });
    await s.deliver("merged", "feature-b", { number: 2, base: "feature-a" });
    await s.expectCompleted(a);
  },
  "stack: the upper pull gets another base": async (s) => {
    const [a, b] = [await s.work("feature-a"), await s.work("feature-b")];
    await s.deliver("opened", "feature-b", { number: 2, base: "feature-a" });
    await s.deliver("merged", "feature-a", { number: 1 });
    await s.deliver("edited", "feature-b", { number: 2, base: "main" });
    await s.expectCompleted(a);
    await s.deliver("merged", "feature-b", { number: 2, base: "main" });
    await s.expectCompleted(a, b);
  },
  "stack: the lower merge overtakes the upper one": async (s) => {
    const [a, b] = [await s.work("feature-a"), await s.work("feature-b")];
    await s.deliver("merged", "feature-a", { number: 1, at: 9 });
    await s.expectCompleted(a);
    await s.deliver("merged", "feature-b", { number: 2, base: "feature-a", at: 8 });
    await s.expectCompleted(a, b);
  },
  "stack: the upper pull is closed": async (s) => {
    const [a] = [await s.work("feature-a"), await s.work("feature-b")];
    await s.deliver("opened", "feature-b", { number: 2, base: "feature-a" });
    await s.deliver("closed", "feature-b", { number: 2, base: "feature-a" });
    await s.deliver("merged", "feature-a", { number: 1 });
    await s.expectCompleted(a);
  },
  "stack: one task with both branches": async (s) => {
    const a = await s.work("feature-a");
    await worker.begin(s.fields, "feature-b", a.id);
    await s.deliver("merged", "feature-b", { number: 2, base: "feature-a" });
    await s.expectCompleted();
    await s.deliver("merged", "feature-a", { number: 1 });
    await s.expectCompleted(a);
  },
  "stack: a task without a change, by the address of the upper pull": async (s) => {
    const one = await s.newTask({ projectId: s.projectId });
    await task.update.mutate({ organizationId, id: one.id, prUrl: s.repository.urlOf(2) });
    await s.deliver("merged", "feature-b", { number: 2, base: "feature-a" });
    await s.expectCompleted();
    await s.deliver("merged", "feature-a", { number: 1 });
    await s.expectCompleted(one);
  },
  "fork: a branch of the same name": async (s) => {
    await s.work("work");
    await s.deliver("opened", "work", { isFork: true });
    await s.deliver("merged", "work", { isFork: true });
    await s.expectCompleted();
  },
  "fork: one pull of the fork, and one of the repository": async (s) => {
    const one = await s.work("work");
    await s.deliver("opened", "work", { number: 1, isFork: true });
    await s.deliver("opened", "work", { number: 2 });
    await s.deliver("merged", "work", { number: 1, isFork: true });
    await s.expectCompleted();
    expect((await s.changesOf(one.id))[0]?.pullRequest).toMatchObject({ number: 2, state: "open" });
    await s.deliver("merged", "work", { number: 2 });
    await s.expectCompleted(one);
  },
  "fork: its branch has the name of a stack's lower branch": async (s) => {
    await s.work("feature-b");
    await s.deliver("merged", "feature-b", { number: 2, base: "feature-a" });
    await s.deliver("merged", "feature-a", { number: 3, isFork: true });
    await s.expectCompleted();
  },
  "fork: a contributor's pull that closes a task": async (s) => {
    const one = await s.newTask({ projectId: s.projectId });
    await s.deliver("merged", "patch-1", { isFork: true, body: `Fixes task ${one.slug}` });
    await s.expectCompleted(one);
  },
  "rename between opening and merge": async (s) => {
    const one = await s.work("work");
    await s.deliver("opened", "work");
    await s.repository.move({ owner: "acme", name: `renamed-${newId()}` });
    await settled();
    await s.deliver("pushed", "work");
    const [change] = await s.changesOf(one.id);
    expect(change?.pullRequest?.url).toBe(s.repository.urlOf(1));
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "transfer between opening and merge": async (s) => {
    const one = await s.work("work");
    await s.deliver("opened", "work");
    await s.repository.move({ owner: "globex", name: s.repository.name.name });
    await settled();
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "rename: an older delivery with the former name arrives late": async (s) => {
    const one = await s.work("work");
    const former = s.repository.name;
    await s.deliver("opened", "work", { at: 1 });
    await s.repository.move({ owner: "acme", name: `renamed-${newId()}` });
    await settled();
    const renamed = s.repository.name;
    await s.deliver("merged", "work", { at: 60 });
    s.repository.name = former;
    await s.deliver("pushed", "work", { at: 2 });
    await s.expectCompleted(one);
    const found = await project.get.query({ organizationId, id: s.projectId });
    expect(found.repoName).toBe(renamed.name);
  },
  "rename: another repository gets the former name": async (s) => {
    const one = await s.work("work");
    const former = s.repository.name;
    await s.deliver("opened", "work");
    await s.repository.move({ owner: "acme", name: `renamed-${newId()}` });
    await settled();
    await s.deliver("pushed", "work", { at: 55 });
    const other = await newRepository(former);
    await s.deliver("merged", "work", { on: other });
    await s.expectCompleted();
    await s.deliver("merged", "work", { at: 60 });
    await s.expectCompleted(one);
  },
  "release base: the merge does not reach the default branch": async (s) => {
    const one = await s.work("work");
    await s.deliver("opened", "work", { base: "release-1" });
    await s.deliver("merged", "work", { base: "release-1" });
    await s.expectCompleted();
    expect(await s.mergesOf(one.id)).toEqual([{ from: "work", to: "release-1" }]);
  },
  "release base: the release is merged back": async (s) => {
    const one = await s.work("work");
    await s.deliver("merged", "work", { base: "release-1", number: 1 });
    await s.deliver("merged", "release-1", { number: 2 });
    await s.expectCompleted(one);
  },
  "release base: only commits before the merge back are in it": async (s) => {
    await s.work("work");
    await s.deliver("merged", "release-1", { number: 2 });
    await s.deliver("merged", "work", { base: "release-1", number: 1 });
    await s.expectCompleted();
  },
  "base: changed to a release before the merge": async (s) => {
    await s.work("work");
    await s.deliver("opened", "work");
    await s.deliver("edited", "work", { base: "release-1" });
    await s.deliver("merged", "work", { base: "release-1" });
    await s.expectCompleted();
  },
  "base: changed from a release before the merge": async (s) => {
    const one = await s.work("work");
    await s.deliver("opened", "work", { base: "release-1" });
    await s.deliver("edited", "work");
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "base: the default branch is merged into a feature": async (s) => {
    await s.work("feature-a");
    await s.deliver("opened", "feature-a", { number: 1 });
    await s.deliver("merged", "main", { number: 2, base: "feature-a" });
    await s.expectCompleted();
  },
  "done branches: another one than the default": async (s) => {
    const one = await s.work("work");
    await project.update.mutate({ organizationId, id: s.projectId, doneBranches: ["production"] });
    await s.deliver("merged", "work", { number: 1 });
    await s.expectCompleted();
    await s.deliver("merged", "main", { number: 2, base: "production" });
    await s.expectCompleted(one);
  },
  "done branches: merges in both directions": async (s) => {
    const one = await s.work("work");
    await project.update.mutate({ organizationId, id: s.projectId, doneBranches: ["production"] });
    await s.deliver("merged", "main", { number: 1, base: "develop" });
    await s.deliver("merged", "work", { number: 2, base: "develop" });
    await s.deliver("merged", "develop", { number: 3 });
    await s.deliver("merged", "main", { number: 4, base: "develop" });
    await s.expectCompleted();
    await s.deliver("merged", "main", { number: 5, base: "production" });
    await s.expectCompleted(one);
  },
  "done branches: the host's default has another name": async (s) => {
    const one = await s.work("work");
    s.repository.defaultBranch = "trunk";
    await s.deliver("merged", "work", { base: "trunk" });
    await s.expectCompleted(one);
  },
  "revert: of a merged pull, after its task was taken up again": async (s) => {
    const one = await s.work("work");
    await s.deliver("merged", "work", { number: 1 });
    await s.expectCompleted(one);
    await s.reopen(one.id);
    const revert = { title: 'Revert "A change"', body: "Reverts acme/shop#1" };
    await s.deliver("opened", "revert-1-work", { number: 2, ...revert });
    await s.deliver("merged", "revert-1-work", { number: 2, ...revert });
    await s.expectCompleted();
  },
  "revert: from the branch itself": async (s) => {
    const one = await s.work("work");
    await s.deliver("merged", "work", { number: 1 });
    await s.reopen(one.id);
    await s.deliver("merged", "work", {
      number: 2,
      title: 'Revert "A change"',
      body: "This reverts commit abc1234.",
    });
    await s.expectCompleted();
  },
  "revert: its text repeats the closing words": async (s) => {
    const one = await s.newTask({ projectId: s.projectId });
    const body = `Closes task ${one.slug}`;
    await s.deliver("merged", "x", { number: 1, body });
    await s.expectCompleted(one);
    await s.reopen(one.id);
    await s.deliver("merged", "revert-1-x", { number: 2, title: `Revert "${body}"`, body });
    await s.expectCompleted();
  },
  "revert: a task for the revert": async (s) => {
    const one = await s.work("revert-it");
    await s.deliver("merged", "revert-it", { title: 'Revert "A change"', body: "Reverts acme/shop#1" });
    await s.expectCompleted(one);
  },
  "revert: a second try from the same branch": async (s) => {
    const one = await s.work("work");
    await s.deliver("merged", "work", { number: 1 });
    await s.reopen(one.id);
    await s.deliver("opened", "work", { number: 2 });
    await s.expectCompleted();
    await s.deliver("merged", "work", { number: 2 });
    await s.expectCompleted(one);
  },
  "queue: added and merged": async (s) => {
    const one = await s.work("work");
    await s.deliver("opened", "work");
    await s.deliver("queued", "work");
    await s.expectCompleted();
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "queue: added and sent back": async (s) => {
    const one = await s.work("work");
    await s.deliver("queued", "work");
    await s.deliver("pushed", "work");
    await s.expectCompleted();
    expect((await s.changesOf(one.id))[0]?.pullRequest?.state).toBe("open");
  },
  "out of order: a merge before all others": async (s) => {
    const one = await s.work("work");
    await s.deliver("merged", "work", { at: 9 });
    await s.deliver("pushed", "work", { at: 5 });
    await s.deliver("opened", "work", { at: 1 });
    await s.expectCompleted(one);
    expect((await s.changesOf(one.id))[0]?.pullRequest?.state).toBe("merged");
  },
  "out of order: an opening after the closing": async (s) => {
    const one = await s.work("work");
    await s.deliver("closed", "work", { at: 9 });
    await s.deliver("opened", "work", { at: 1 });
    expect((await s.changesOf(one.id))[0]?.pullRequest?.state).toBe("closed");
    await s.expectCompleted();
  },
  "out of order: a closing after the reopening": async (s) => {
    const one = await s.work("work");
    await s.deliver("reopened", "work", { at: 9 });
    await s.deliver("closed", "work", { at: 5 });
    expect((await s.changesOf(one.id))[0]?.pullRequest?.state).toBe("open");
    await s.deliver("merged", "work", { at: 12 });
    await s.expectCompleted(one);
  },
  "out of order: a former base after the merge": async (s) => {
    const one = await s.work("work");
    await s.deliver("merged", "work", { at: 9 });
    await s.deliver("edited", "work", { at: 5, base: "release-1" });
    await s.expectCompleted(one);
    expect((await s.changesOf(one.id))[0]?.pullRequest).toMatchObject({ base: "main", state: "merged" });
  },
  "doubled: the same merge after the task was taken up again": async (s) => {
    const one = await s.work("work");
    const again = await s.deliver("merged", "work");
    await s.expectCompleted(one);
    await s.reopen(one.id);
    await again();
    await s.expectCompleted();
  },
  "doubled: an edit of the merged pull after the task was taken up again": async (s) => {
    const one = await s.work("work");
    await s.deliver("merged", "work");
    await s.reopen(one.id);
    await s.deliver("edited", "work", { state: "merged", title: "A better title" });
    await s.expectCompleted();
  },
  "late: a merge that was lost, and that a later edit shows": async (s) => {
    const one = await s.work("work");
    await s.deliver("opened", "work");
    await s.deliver("edited", "work", { state: "merged" });
    await s.expectCompleted(one);
  },
  "late: the merge of a former branch of the same name": async (s) => {
    await s.work("work");
    await s.deliver("merged", "work", { at: -600 });
    await s.expectCompleted();
  },
  "late: a pull that was opened before its workspace was made": async (s) => {
    await s.deliver("opened", "work");
    const one = await s.work("work");
    expect((await s.changesOf(one.id))[0]?.pullRequest).toMatchObject({ number: 1, state: "open" });
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "changes: a task with two branches": async (s) => {
    const one = await s.work("one");
    await worker.begin(s.fields, "two", one.id);
    await s.deliver("merged", "one", { number: 1 });
    await s.expectCompleted();
    expect(await s.mergesOf(one.id)).toEqual([{ from: "one", to: "main" }]);
    await s.deliver("merged", "two", { number: 2 });
    await s.expectCompleted(one);
  },
  "changes: one is closed, then the other merged": async (s) => {
    const one = await s.work("one");
    await worker.begin(s.fields, "two", one.id);
    await s.deliver("closed", "one", { number: 1 });
    await s.expectCompleted();
    await s.deliver("merged", "two", { number: 2 });
    await s.expectCompleted(one);
  },
  "changes: one is merged, then the other closed": async (s) => {
    const one = await s.work("one");
    await worker.begin(s.fields, "two", one.id);
    await s.deliver("opened", "two", { number: 2 });
    await s.deliver("merged", "one", { number: 1 });
    await s.expectCompleted();
    await s.deliver("closed", "two", { number: 2 });
    await s.expectCompleted(one);
  },
  "changes: one is merged, then the workspace of the other deleted": async (s) => {
    const one = await s.work("one");
    const id = await worker.begin(s.fields, "two", one.id);
    await s.deliver("merged", "one");
    await s.expectCompleted();
    await worker.client.workspace.delete.mutate({ organizationId, id });
    await s.expectCompleted(one);
  },
  "changes: in two repositories": async (s) => {
    const one = await s.work("work");
    const other = await s.addRepository();
    await worker.begin(other.fields, "work", one.id);
    const body = `Closes task ${one.slug}`;
    await s.deliver("merged", "work", { body });
    await s.expectCompleted();
    await s.deliver("merged", "work", { on: other.repository });
    await s.expectCompleted(one);
  },
  "changes: the workspace is deleted before the merge": async (s) => {
    const one = await s.newTask({ projectId: s.projectId });
    const id = await worker.begin(s.fields, "work", one.id);
    await s.deliver("opened", "work");
    await worker.client.workspace.delete.mutate({ organizationId, id });
    await s.expectCompleted();
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "changes: the branch is renamed": async (s) => {
    const one = await s.newTask({ projectId: s.projectId });
    const id = await worker.begin(s.fields, "former", one.id);
    await worker.client.workspace.update.mutate({ organizationId, id, config: { branchName: "renamed" } });
    expect((await task.get.query({ organizationId, id: one.id })).branch).toBe("renamed");
    await s.deliver("merged", "former", { number: 1 });
    await s.expectCompleted();
    await s.deliver("merged", "renamed", { number: 2 });
    await s.expectCompleted(one);
  },
  "changes: the branch was pushed under another name": async (s) => {
    const one = await s.work("local-name");
    await s.deliver("merged", "pushed-name", { body: `Closes task ${one.slug}` });
    await s.expectCompleted(one);
  },
  "changes: one branch on two machines": async (s) => {
    const one = await s.work("work");
    await worker.begin(s.fields, "work", one.id);
    await s.deliver("merged", "work");
    await s.expectCompleted(one);
  },
  "changes: a backport of one is open when the other is merged": async (s) => {
    const one = await s.work("one");
    await worker.begin(s.fields, "two", one.id);
    await s.deliver("merged", "one", { number: 1 });
    await s.deliver("opened", "one", { number: 2, base: "release-1" });
    await s.deliver("merged", "two", { number: 3 });
    await s.expectCompleted(one);
  },
};

describe.each(["github", "gitlab"] as const)("pull requests of %s", (provider) => {
  beforeAll(async () => {
    newRepository = await useForge(server, ada, providers, provider);
  });

  it.each(Object.entries(scripts))("%s", async (_name, run) => run(await begin()));

  it("no delivery was given up", async () => {
    const events = await integration.listEvents.query({ organizationId, limit: 200 });
    expect(events.filter(({ status }) => status !== "processed")).toEqual([]);
  });
});
