import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@grove/testing/browser";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { lines } from "./testing/longDiff";
import { everythingKept, marker } from "./testing/storedData";
import { startWorkbench } from "./testing/workbench";

const journey = useJourney();

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A workspace with files of each kind, and the address of its page. */
async function startFiles() {
  const bench = await startWorkbench(journey);
  const { page, machine, git, project, runTool } = bench;
  const repository = join(machine.directory, "app");
  const secret = marker();
  await mkdir(join(repository, "src/deep/er"), { recursive: true });
  const files = {
    ".gitignore": "*.log\n",
    "src/deep/er/login.ts": lines(200, (n) => `export const step${n} = ${n};`),
    "src/other.ts": `const needle = "${secret}";\n`,
    "logo.png": PIXEL,
    "long.txt": lines(40_000, (n) => `line ${n}`),
    "program.bin": "\0\u0001\u0002",
    "rtl\u202egpj.txt": "",
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(repository, name), content);
  await git("add", ".");
  await git("commit", "--quiet", "--message", "Files");
  const params = { projectId: project.id, workspaces: [{ name: "login form" }] };
  const made = (await runTool("create_workspace", params)) as { workspaces: { id: string; path: string }[] };
  const [workspace] = made.workspaces;
  if (!workspace) throw new Error(JSON.stringify(made));
  await page.getByRole("navigation", { name: "Main" }).waitFor();
  const address = page.url().replace(/(\/o\/[^/]+).*/, `$1/workspaces/${workspace.id}`);
  const write = (name: string, content: string | Buffer) => writeFile(join(workspace.path, name), content);
  return { ...bench, workspace, address, write, secret };
}

const tree = (page: Page) => page.getByRole("tree", { name: "Files" });
const row = (page: Page, name: string | RegExp) => tree(page).getByRole("treeitem", { name, exact: true });
const opened = (page: Page) => page.getByRole("region", { name: "File", exact: true });
const text = (page: Page) => page.getByRole("region", { name: "Text" });
/** The part of the address that names the open place. */
const place = (page: Page) => {
  const { searchParams } = new URL(page.url());
  return ["side", "file", "line"].map((name) => searchParams.get(name));
};

it("opens a deep file by keyboard, searches, shows pictures, and opens a link at its line", async () => {
  const { page, machine, workspace, address, write, secret } = await startFiles();
  await write("ignored.log", "1\n");
  await symlink("src", join(workspace.path, "link"));
  await page.goto(address);
  await page.getByText("1 file", { exact: true }).waitFor();

  // By keyboard alone, from the page's shortcut to the text.
  await page.keyboard.press("f");
  await row(page, "src").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.role")).toBe("tree");
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await row(page, "deep").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await row(page, "er").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await row(page, "login.ts").waitFor();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await text(page).getByText("export const step3 = 3;").waitFor();
  expect(place(page)).toEqual(["files", "src/deep/er/login.ts", null]);
  await expect.poll(() => page.evaluate("document.activeElement?.ariaLabel")).toBe("Text");
  await page.keyboard.press("l");
  await page.getByRole("spinbutton", { name: "Go to line" }).fill("150");
  await page.keyboard.press("Enter");
  await text(page).getByText("export const step149 = 149;").waitFor();
  await expect.poll(() => place(page)).toEqual(["files", "src/deep/er/login.ts", "150"]);

  // The address opens the same place, even in a narrow window.
  await page.reload();
  await text(page).getByText("export const step149 = 149;").waitFor();
  await expect.poll(() => row(page, "login.ts").getAttribute("aria-selected")).toBe("true");

  // Other kinds of entries.
  await row(page, "link link").waitFor();
  await row(page, "ignored.log ignored by git").waitFor();
  await row(page, "rtl⟨RLO⟩gpj.txt").click();
  await page.getByText("This file is empty.").waitFor();
  await row(page, "link link").click();
  await page.getByText("Could not read the file.").waitFor();
  await row(page, "program.bin").click();
  await page.getByRole("heading", { name: "Binary file" }).waitFor();
  await page.getByText("This file has 3 bytes.").waitFor();
  await row(page, "logo.png").click();
  const picture = page.getByRole("img", { name: "logo.png" });
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
  await row(page, "long.txt").click();
  await opened(page).getByText("The first 256 KiB of").waitFor();
  await opened(page).getByRole("button", { name: "Load more" }).press("Enter");
  await opened(page).getByText("The first 256 KiB of").waitFor({ state: "detached" });

  // A search in the files, and one by name.
  await page.keyboard.press("/");
  const field = page.getByRole("searchbox", { name: "Search the files" });
  await field.fill("NEEDLE");
  const results = page.getByRole("region", { name: "Results" });
  await results.getByText("1 match in 1 file").waitFor();
  await results.getByRole("button", { name: /const needle/ }).press("Enter");
  await text(page).getByText(secret).waitFor();
  expect(place(page)).toEqual(["files", "src/other.ts", "1"]);
  await page.getByRole("combobox", { name: "Search in" }).selectOption("File names");
  await field.fill("LOGIN");
  await results.getByRole("button", { name: "src/deep/er/login.ts" }).click();
  await text(page).getByText("export const step3 = 3;").waitFor();
  await field.fill("nowhere to be found");
  await results.getByText("No matches.").waitFor();
  await field.press("Escape");
  await tree(page).waitFor();

  // A narrow window shows the files in a tab, and either the tree or the file.
  await page.setViewportSize({ width: 400, height: 800 });
  await text(page).getByText("export const step3 = 3;").waitFor();
  const current = page.getByRole("navigation", { name: "Workspace" }).locator("[aria-current=page]");
  await expect.poll(() => current.allTextContents()).toEqual(["Files"]);
  expect(await tree(page).isVisible()).toBe(false);
  await page.getByRole("button", { name: "Close the file" }).click();
  await tree(page).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.role")).toBe("tree");
  await row(page, "other.ts").click();
  await text(page).getByText(secret).waitFor();

  const { placesOf } = await everythingKept({
    api: journey.api,
    page,
    directories: [join(machine.directory, "home")],
    others: {},
  });
  // For five minutes, the command that read it.
  expect(placesOf(secret).filter((each) => !each.startsWith(workspace.path))).toEqual([
    "table device_commands",
  ]);
});

it("shows pictures and unchanged lines in the diff, and opens files that the diff cannot show", async () => {
  const { page, address, write } = await startFiles();
  await write("logo.png", Buffer.concat([PIXEL, Buffer.from("changed")]));
  await write("program.bin", "\0\u0003");
  await write(
    "src/deep/er/login.ts",
    lines(200, (n) => `export const step${n} = ${n === 100 ? "hundred" : n};`),
  );
  await page.goto(`${address}?only=changes`);
  const changes = page.getByRole("region", { name: "Changes" });
  for (const side of ["before", "after"])
    await expect
      .poll(() =>
        changes
          .getByRole("img", { name: `logo.png, ${side} the changes` })
          .evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBe(1);
  await changes.getByText("step100 = hundred").waitFor();
  await changes.getByRole("button", { name: "Show 20 lines before the next change" }).first().press("Enter");
  await changes.getByText("export const step80 = 80;").waitFor();
  expect(await changes.getByText("export const step5 = 5;").count()).toBe(0);
  await changes.getByRole("button", { name: "Expand all unchanged lines" }).first().press("Enter");
  await changes.getByText("export const step5 = 5;").waitFor();
  for (let n = 0; n < 2; n++) await page.keyboard.press("j");
  await changes.getByRole("button", { name: "Open the file" }).last().click();
  await page.getByRole("heading", { name: "Binary file" }).waitFor();
  expect(place(page)).toEqual(["files", "program.bin", null]);
});
