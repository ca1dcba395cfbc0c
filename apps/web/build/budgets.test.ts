import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";

/** An entry of Vite's manifest: a built file and its static imports. */
interface Built {
  file: string;
  imports?: string[];
  css?: string[];
}

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8")) as Record<string, Built>;

/** Returns the entries of these sources, with their static imports. */
function closure(sources: string[]): Built[] {
  const names = new Set<string>();
  const add = (name: string) => {
    if (names.has(name)) return;
    names.add(name);
    for (const each of manifest[name]?.imports ?? []) add(each);
  };
  for (const source of sources) add(source);
  return [...names].map((name) => {
    const built = manifest[name];
    if (!built) throw new Error(`${name} is not in the build`);
    return built;
  });
}

const gzip = (content: Buffer) => gzipSync(content, { level: 9 });

const kilobytes = (files: string[], compress: (content: Buffer) => Buffer = gzip) =>
  [...new Set(files)].reduce((sum, file) => sum + compress(readFileSync(dist + file)).length, 0) / 1_000;

const entry = "index.html";

/** The page Now, and what it loads by itself. */
const firstLoad = [
  entry,
  "src/app/shell.tsx",
  "src/shortcuts/organizationShortcuts.tsx",
  "src/now/nowPage.tsx",
];

/** Budgets of the code before the first render, in kB of gzip. A larger page needs a reason, or a lazy import. */
it.each([
  ["sign-in", ["src/account/signInPage.tsx"], 136],
  ["the first list", ["src/app/shell.tsx", "src/devices/devicesPage.tsx"], 150],
  ["Now", ["src/app/shell.tsx", "src/now/nowPage.tsx"], 150],
  ["Now with all eager imports", firstLoad, 170],
  ["Now with its menus", [...firstLoad, "src/app/organizationMenu.tsx", "src/app/accountMenu.tsx"], 210],
  [
    "the first list with its menus",
    [
      "src/app/shell.tsx",
      "src/app/organizationMenu.tsx",
      "src/app/accountMenu.tsx",
      "src/devices/devicesPage.tsx",
    ],
    210,
  ],
  ["a device", ["src/app/shell.tsx", "src/devices/devicePage.tsx"], 200],
  ["the board", ["src/app/shell.tsx", "src/tasks/tasksPage.tsx"], 170],
  ["a project", ["src/app/shell.tsx", "src/projects/projectPage.tsx"], 175],
  ["the members", ["src/app/shell.tsx", "src/organization/membersPage.tsx"], 205],
  ["the API keys", ["src/app/shell.tsx", "src/organization/keysPage.tsx"], 175],
  ["an account", ["src/account/accountPage.tsx"], 170],
  ["an invitation", ["src/account/acceptInvitationPage.tsx"], 140],
  ["a task", ["src/app/shell.tsx", "src/tasks/taskPage.tsx"], 170],
  [
    "a task with highlighted code",
    [
      "src/app/shell.tsx",
      "src/tasks/taskPage.tsx",
      "src/markdown/markdown.tsx",
      "src/markdown/highlightedCode.tsx",
    ],
    225,
  ],
  ["a workspace", ["src/app/shell.tsx", "src/workspaces/view/workspacePage.tsx"], 205],
  [
    "a workspace with its changes",
    [
      "src/app/shell.tsx",
      "src/workspaces/view/workspacePage.tsx",
      "src/workspaces/view/changesSide.tsx",
      "src/diff/viewer.tsx",
    ],
    322,
  ],
])("%s is within its budget", (_, sources, budget) => {
  const files = closure([entry, ...sources]).map(({ file }) => file);
  expect(kilobytes(files)).toBeLessThanOrEqual(budget);
});

it("Now is within its budget for browsers that take brotli", () => {
  const files = closure(firstLoad).map(({ file }) => file);
  // With the default settings, which are the best and the slowest.
  expect(kilobytes(files, brotliCompressSync)).toBeLessThanOrEqual(150);
});

it("loads the streaming code in a separate chunk", () => {
  const files = closure([entry]).map(({ file }) => readFileSync(dist + file, "utf8"));
  // An event name in tRPC's streams.
  expect(files.filter((content) => content.includes("serialized-error"))).toEqual([]);
});

it("has at most 15 kB of CSS", () => {
  const styles = Object.values(manifest).flatMap(({ css = [] }) => css);
  expect(kilobytes(styles)).toBeLessThanOrEqual(15);
});
