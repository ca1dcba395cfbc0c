import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryDirectory } from "@grove/testing/temporaryDirectory";
import { expect, it } from "vitest";
import { openHome } from "./home";
import { Store } from "./store";

const project = (id: string = randomUUID()) => ({
  id,
  name: "App",
  slug: "app",
  repoUrl: "file:///app",
  defaultBranch: "main",
  path: "/app",
  cloned: false,
});
const workspace = (id: string = randomUUID()) => ({
  id,
  projectId: randomUUID(),
  name: "x",
  branch: "grove/x",
  baseBranch: "main",
  baseCommit: "0".repeat(40),
  path: "/x",
  portBase: 20_000,
  createdAt: new Date().toISOString(),
});

it("two simultaneous writers overwrite nothing of each other's", async () => {
  const home = await openHome(await temporaryDirectory());
  const organizationId = randomUUID();
  const [agent, command] = [new Store(home, organizationId), new Store(home, organizationId)];
  const entries = Array.from({ length: 20 }, () => project());
  await Promise.all(entries.map((entry, n) => (n % 2 ? agent : command).saveProject(entry)));
  for (const store of [agent, command])
    expect((await store.projects()).map(({ id }) => id).sort()).toEqual(entries.map(({ id }) => id).sort());
});

it("another organization's projects and workspaces, from an earlier registration, are hidden", async () => {
  const home = await openHome(await temporaryDirectory());
  const [earlier, now] = [new Store(home, randomUUID()), new Store(home, randomUUID())];
  const entry = project();
  await earlier.saveProject(entry);
  expect(await now.projects()).toEqual([]);
  expect(await now.project(entry.id)).toBeUndefined();
  expect(await earlier.project(entry.id)).toMatchObject(entry);
  const tree = { ...workspace(), projectId: entry.id };
  await earlier.saveWorkspace(tree);
  await earlier.setActiveWorkspace(tree.id);
  expect(await now.workspaces()).toEqual([]);
  expect(await now.workspace(tree.id)).toBeUndefined();
  expect(await now.activeWorkspaceId()).toBeNull();
  expect(await earlier.workspaces()).toEqual([tree]);
  expect(await earlier.activeWorkspaceId()).toBe(tree.id);
  const inItsPlace = workspace();
  await now.saveWorkspace(inItsPlace);
  expect(await now.workspaces()).toEqual([inItsPlace]);
  expect(await earlier.workspace(tree.id)).toBeUndefined();
});

it("there is no active workspace once it is removed", async () => {
  const store = new Store(await openHome(await temporaryDirectory()), randomUUID());
  const entry = workspace();
  expect(await store.activeWorkspaceId()).toBeNull();
  await store.saveWorkspace(entry);
  await store.setActiveWorkspace(entry.id);
  expect(await store.activeWorkspaceId()).toBe(entry.id);
  await store.removeWorkspace(entry.id);
  expect(await store.activeWorkspaceId()).toBeNull();
  expect(await store.workspaces()).toEqual([]);
});

it("an unreadable file is named, not skipped", async () => {
  const home = await openHome(await temporaryDirectory());
  const store = new Store(home, randomUUID());
  await writeFile(join(home.workspacesDir, ".half.json.tmp"), "");
  expect(await store.workspaces()).toEqual([]);
  const broken = join(home.workspacesDir, `${randomUUID()}.json`);
  await writeFile(broken, "{");
  await expect(store.workspaces()).rejects.toThrow(broken);
});
