import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@grove/testing/browser";
import { startCollector } from "@grove/testing/collector";
import { afterAll, expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { addManyLines, lines, openDiff, scrollDiff } from "./testing/longDiff";
import { report, workOf } from "./testing/measured";
import { everythingKept, marker, recordRequests } from "./testing/storedData";
import { typeLine } from "./testing/terminal";
import { startWorkbench } from "./testing/workbench";

// Everything that could be stored is recorded, and searched at the end for what must not be in it.
const collector = await startCollector(afterAll);
const talkative = { LOG_LEVEL: "trace", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
const journey = useJourney(talkative);

/** A workspace on a machine, whose base has some files. */
async function startDiff() {
  const bench = await startWorkbench(journey, talkative);
  const { page, machine, git, project, runTool } = bench;
  const repository = join(machine.directory, "app");
  await mkdir(join(repository, "src"));
  const files = {
    "src/login.ts": lines(60, (n) => `export const step${n} = ${n};`),
    "src/old name.ts": lines(30, (n) => `const word${n} = "word";`),
    "logo.png": "\0\u0001\u0002",
    "run.sh": "echo run\n",
    "notes.md": "# Notes\n",
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
  const write = (name: string, content: string) => writeFile(join(workspace.path, name), content);
  return { ...bench, workspace, address, write };
}

const region = (page: Page) => page.getByRole("region", { name: "Changes" });
const header = (page: Page, name: string) => region(page).getByRole("button", { name });
const list = (page: Page) => page.getByRole("tree", { name: "Changed files" });
/** The current file in the list of files. */
const isCurrent = (page: Page, name: string) =>
  list(page).locator('[aria-selected="true"]').filter({ hasText: name }).waitFor();
/** Expects that a line's text is within the width of the viewer, so that a person can read it without scrolling. */
const isReadable = (page: Page, text: string) =>
  expect
    .poll(async () => {
      const [line, viewer] = [
        await region(page).getByText(text).boundingBox(),
        await region(page).boundingBox(),
      ];
      return line !== null && viewer !== null && line.x + line.width <= viewer.x + viewer.width;
    })
    .toBe(true);
/** Returns to the tab, which makes the page refetch from the machine. */
const showTab = (page: Page) => page.evaluate(() => dispatchEvent(new Event("visibilitychange")));

it("shows every kind of change, by keyboard alone, offers what has changed since, and keeps nothing of it", async () => {
  const { page, context, workspace, address, write, agent, machine, git, client, organizationId, project } =
    await startDiff();
  const [typed, secret, changed, printed] = [marker(), marker(), marker(), marker()];
  const requests = recordRequests(page);
  // Grove records a trace that its caller has started.
  await context.setExtraHTTPHeaders({
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
  });
  await client.project.setSecret.mutate({
    organizationId,
    projectId: project.id,
    key: "TOKEN",
    value: secret,
  });
  await page.goto(address);
  await page.getByRole("heading", { name: "No changes" }).waitFor();
  await page.keyboard.press("\\");
  await page.getByRole("navigation", { name: "Workspace" }).waitFor({ state: "detached" });

  await write(
    "src/login.ts",
    lines(60, (n) => `export const step${n} = ${n === 3 ? "three" : n === 40 ? "forty" : n};`),
  );
  await write("new file.txt", `hello <b>there</b>\n${changed}\n`);
  await write("logo.png", "\0\u0003");
  await write("huge.log", "x".repeat(2_000_000));
  await chmod(join(workspace.path, "run.sh"), 0o755);
  await rm(join(workspace.path, "src/old name.ts"));
  await write(
    "src/new name.ts",
    lines(30, (n) => `const word${n} = "${n === 7 ? "seven" : "word"}";`),
  );
  await showTab(page);
  await page.getByText("6 files").waitFor();
  await region(page).getByText("step40 = forty").waitFor();
  await isReadable(page, "step40 = forty");
  await header(page, "Renamed: src/old name.ts → src/new name.ts").waitFor();

  // The URL follows the current file, once it differs from the initial one.
  await isCurrent(page, "login.ts");
  expect(new URL(page.url()).hash).toBe("");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await isCurrent(page, "huge.log");
  await expect.poll(() => new URL(page.url()).hash).toBe("#huge.log");
  await region(page).getByText("hello <b>there</b>").waitFor();
  await region(page).getByText(changed).waitFor();
  await region(page).getByText("Binary file.").waitFor();
  await region(page).getByText("Mode changed from regular file to executable file.").waitFor();
  await region(page).getByText("Too large to show.").waitFor();
  // The tree of files by keyboard: the closed directory represents its files.
  await list(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowLeft");
  await list(page).getByText("login.ts").waitFor({ state: "detached" });
  await page.keyboard.press("k");
  await isCurrent(page, "src");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await isCurrent(page, "login.ts");
  await region(page).focus();
  await expect.poll(() => new URL(page.url()).hash).toBe("#src/login.ts");
  await page.keyboard.press("n");
  await page.getByText("Change 1 of 2 in src/login.ts").waitFor();
  await page.keyboard.press("n");
  await page.getByText("Change 2 of 2 in src/login.ts").waitFor();
  await page.keyboard.press("n");
  await isCurrent(page, "new name.ts");
  await page.keyboard.press("k");
  await isCurrent(page, "login.ts");
  await page.keyboard.press("Enter");
  await region(page).getByText("step40 = forty").waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await region(page).getByText("step40 = forty").waitFor();
  await page.keyboard.press("u");
  await expect.poll(() => page.getByRole("checkbox", { name: "Side by side" }).isChecked()).toBe(true);
  await page.keyboard.press("u");
  await page.keyboard.press("/");
  const find = page.getByRole("searchbox", { name: "Find in the changes" });
  await find.fill("WORD7");
  await page.getByText("2 lines").waitFor();
  await find.press("Enter");
  await page.getByText("1 of 2 lines").waitFor();
  await find.press("Shift+Enter");
  await page.getByText("2 of 2 lines").waitFor();
  await isCurrent(page, "new name.ts");
  await find.press("Escape");
  const selected = page.getByRole("region", { name: "Selected lines" });
  await selected.getByText("src/new name.ts:8").waitFor();
  await page.keyboard.press("Shift+ArrowUp");
  await selected.getByText("src/new name.ts:8").waitFor();
  // Another user opens a link to the lines. If the lines or the file no longer exist, the page reports it.
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await selected.getByRole("button", { name: "Copy a link to these lines" }).click();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toBe(`${address}?only=changes#src/new%20name.ts:R8-L8`);
  const other = await journey.open(context, link);
  await other.getByRole("region", { name: "Selected lines" }).getByText("src/new name.ts:8").waitFor();
  await isCurrent(other, "new name.ts");
  await expect.poll(() => other.evaluate("document.activeElement?.ariaLabel")).toBe("Changes");
  expect(other.url()).toBe(link);
  await other.goto(`${address}/diff#src/gone.ts`);
  await other.getByText("src/gone.ts is not part of these changes").first().waitFor();
  await other.goto(`${address}/diff#src/login.ts:R999`);
  await isCurrent(other, "login.ts");
  await other.getByText("The linked lines are no longer part of the changes").waitFor();
  await other.close();
  await page.keyboard.press("a");
  await page.getByRole("heading", { name: "Start an agent" }).waitFor();
  const prompt = page.getByLabel("Prompt");
  expect(await prompt.inputValue()).toBe(
    'src/new name.ts:8\n-const word7 = "word";\n+const word7 = "seven";\n',
  );
  await page.getByRole("option", { name: /^shell/ }).waitFor({ state: "attached" });
  await prompt.fill("true");
  await page.getByRole("button", { name: "Start agent" }).press("Enter");
  await page.getByText("Read-only").waitFor();
  await page.goBack();
  await page.goBack();
  await isCurrent(page, "new name.ts");
  // The URL follows the file after a pause. Asking an agent during the pause still leads back to the file.
  await page.evaluate(() => {
    const { setTimeout } = window;
    Object.assign(window, {
      setTimeout: (run: () => void, ms = 0) => setTimeout(run, ms === 300 ? 3_600_000 : ms),
    });
  });
  await page.keyboard.press("k");
  await isCurrent(page, "login.ts");
  // By pointer: from one line number to another.
  await region(page).getByText("step3 = three").waitFor();
  const number = (text: string) =>
    region(page)
      .locator("[data-column-number]")
      .filter({ hasText: new RegExp(`^\\s*${text}\\s*$`) })
      .first();
  await expect
    .poll(async () => {
      if (await selected.getByText("src/login.ts:6-7").isVisible()) return "selected";
      // Another file's changes may arrive above these lines and move them.
      await number("6").hover();
      await page.mouse.down();
      await number("7").hover();
      await page.mouse.up();
      return "dragged";
    })
    .toBe("selected");
  await isCurrent(page, "login.ts");
  await selected.getByRole("button", { name: "Ask the agent" }).click();
  await page.getByText("Paste 3 lines?").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Typing", { exact: true }).waitFor();
  const screen = page.getByRole("region", { name: "Terminal" });
  await screen.getByText("src/login.ts:6-7").waitFor();
  // Nothing was sent: the shell would report an unknown command.
  await page.keyboard.press("Control+c");
  await page.keyboard.type("echo do''ne");
  await page.keyboard.press("Enter");
  await expect.poll(() => screen.textContent()).toContain("done");
  expect(await screen.textContent()).not.toMatch(/command not found|No such file/);
  // A password for a program that does not echo its input. The secret is in the agent's environment.
  const run = (line: string) => typeLine(page, line);
  await run(
    `stty -echo; printf '%s %s' ${printed} "rea"; echo "dy $(printenv TOKEN | wc -c)"; read -r answer`,
  );
  await expect.poll(() => screen.textContent()).toContain(`ready ${secret.length + 1}`);
  await run(typed);
  await run(`stty echo; echo "th"anks "$(printf %s "$answer" | wc -c)"`);
  await expect.poll(() => screen.textContent()).toContain(`thanks ${typed.length}`);
  await page.goBack();
  await isCurrent(page, "login.ts");
  await page.keyboard.press("u");
  await region(page).locator("[data-diff-type=split]").first().waitFor();
  await isCurrent(page, "login.ts");
  await page.keyboard.press("v");
  const viewed = page.getByRole("checkbox", { name: "Viewed: src/login.ts" });
  await expect.poll(() => viewed.isChecked()).toBe(true);
  await region(page).getByText("step40 = forty").waitFor({ state: "detached" });
  await page.reload();
  await expect.poll(() => viewed.isChecked()).toBe(true);
  // Changed content is no longer marked as viewed.
  await write("src/login.ts", "export const step = 1;\n");
  await showTab(page);
  await page.getByRole("button", { name: "Show latest changes" }).press("Enter");
  await region(page).getByText("export const step = 1;").waitFor();
  await expect.poll(() => viewed.isChecked()).toBe(false);

  // Without its base, a workspace is compared with the commit that it started from.
  await git("branch", "--quiet", "-m", "main", "trunk");
  await page.reload();
  await region(page).getByText("export const step = 1;").waitFor();
  // An orphan history shares no commit with either.
  const orphan = await git("-C", workspace.path, "commit-tree", "HEAD^{tree}", "-m", "Begin anew");
  await git("-C", workspace.path, "update-ref", "HEAD", orphan.trim());
  await page.reload();
  await page.getByRole("heading", { name: "The base no longer exists" }).waitFor();
  await page.getByRole("link", { name: "Compare with the last commit" }).press("Enter");
  await page.getByText("6 files").waitFor();
  // The page may send a request to the machine just before it learns that the machine is offline.
  journey.expectMessage(page, /412/);
  await agent.end("SIGTERM");
  await page.getByRole("heading", { name: "laptop is offline" }).waitFor();
  const again = machine.run(["start"]);
  await region(page).getByText("export const step = 1;").waitFor();

  await page.goto(address.replace(/workspaces.*/, "projects/app?tab=secrets"));
  await page.getByRole("button", { name: "Reveal TOKEN" }).press("Enter");
  await page.getByText(secret).waitFor();
  await agent.ended;
  await again.end("SIGTERM");
  const { placesOf } = await everythingKept({
    api: journey.api,
    page,
    directories: [join(machine.directory, "home"), journey.api.dataDir],
    others: {
      "the device's log": agent.output + again.output,
      traces: collector.sent.join("\n"),
      addresses: requests.addresses.join("\n"),
    },
  });
  expect(requests.kept).toEqual([]);
  // Checks that the search works: it finds a program's output, and for five minutes a diff.
  expect(placesOf(printed)).toEqual(["table agent_session_output"]);
  expect(placesOf("get_workspace_diff")).toEqual(
    expect.arrayContaining(["table device_commands", "the device's log", "traces"]),
  );
  expect(placesOf(typed)).toEqual([]);
  expect(placesOf(secret)).toEqual([]);
  expect(placesOf(changed).filter((place) => !place.startsWith(workspace.path))).toEqual([
    "table device_commands",
  ]);
});

it("opens 20 000 lines quickly, and scrolls through them smoothly", async () => {
  const { page, workspace, address } = await startDiff();
  await addManyLines(workspace.path);
  await page.goto(`${address}?only=terminals`);
  await page.getByRole("button", { name: "Show both sides" }).waitFor();
  const worked = await workOf(page);
  const before = await worked();
  const opened = await openDiff(page);
  const work = (await worked()) - before;
  const { frame, elements } = await scrollDiff(page, 21);
  // A link into the middle: content that loads above the file does not move it.
  await page.goto(`${address}/diff#many/file30.ts`);
  await page.reload();
  await isCurrent(page, "file30.ts");
  await region(page).getByText('"text 0 of 30"').waitFor();
  const tops = () =>
    Promise.all(
      [region(page), header(page, "Untracked: many/file30.ts")].map(
        async (each) => (await each.boundingBox())?.y,
      ),
    );
  await expect.poll(async () => tops().then(([top = 0, of = 0]) => of - top)).toBeLessThan(10);
  report(
    { name: "A diff of 20 000 lines opens", value: opened, aim: 400 },
    { name: "  the page's own work in that", value: work, aim: 400 },
    { name: "  longest frame while it scrolls", value: frame, aim: 50 },
    { name: "  elements", value: elements, aim: 1_500, unit: "" },
  );
});

it("marks hidden characters and conflicts, copies lines as they are, and recognizes line endings and links", async () => {
  const { page, workspace, address, write } = await startDiff();
  await write("run.sh", "echo run\r\n");
  await write("rtl\u202egpj.exe", "x\n");
  const line = 'const admin = "a\u202e\u2066// b\u2069"; // \u200b\u{e0041}\u001b[0m 👩‍💻';
  await write("src/hidden.ts", `${line}\n`);
  await write("notes.md", "# Notes 👩‍💻\n");
  await write("both.ts", "<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> main\n");
  await symlink("notes.md", join(workspace.path, "current"));
  await page.goto(`${address}/diff`);
  await list(page).getByText("rtl⟨RLO⟩gpj.exe").waitFor();
  await header(page, "Untracked: rtl⟨RLO⟩gpj.exe").waitFor();
  await region(page).getByText("Contains 6 hidden characters").waitFor();
  expect(
    await region(page)
      .getByText(/Contains \d+ hidden/)
      .count(),
  ).toBe(1);
  const marks = region(page).locator("[data-hidden]");
  const marked = () => marks.evaluateAll((all) => all.map((each) => each.getAttribute("data-hidden")));
  await expect.poll(marked).toEqual(["⟨RLO⟩", "⟨LRI⟩", "⟨PDI⟩", "⟨ZWSP⟩", "⟨U+E0041⟩", "␛"]);
  const text = () => marks.first().evaluate((mark) => mark.closest("[data-line]")?.textContent?.trimEnd());
  expect(await text()).toBe(line);
  await region(page).getByText("Line endings only").waitFor();
  await region(page).getByText("1 conflict", { exact: true }).waitFor();
  const markers = await region(page).locator("[data-conflict]").allTextContents();
  expect(markers.map((marker) => marker.trimEnd())).toEqual(["<<<<<<< HEAD", "=======", ">>>>>>> main"]);
  await region(page).getByText("Symbolic link to notes.md.").waitFor();
});
