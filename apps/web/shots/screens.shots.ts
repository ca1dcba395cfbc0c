import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@grove/testing/browser";
import { it } from "vitest";
import { useJourney } from "../journeys/testing/journey";
import { takeScreenshot } from "./takeScreenshot";
import { startTeam } from "./team";
import { themes, widths } from "./variants";

// Not run by the suite's workers, so there is no shared API.
const journey = useJourney({ ADMIN_EMAIL_DOMAIN: "example.com" });
const pictures = join(import.meta.dirname, "../pictures");
const sheet = join(import.meta.dirname, "../test-results/shots");

type Team = Awaited<ReturnType<typeof startTeam>>;

/** Each screen's path below the organization, and a text that appears once it has loaded. */
const screens = ({ device, workspace, task, session }: Team) => ({
  now: ["", "Allow the edit"],
  devices: ["/devices", device.name],
  device: [`/devices/${device.id}`, device.name],
  commands: [`/devices/${device.id}?tab=commands`, "Create workspaces"],
  projects: ["/projects", "app"],
  project: ["/projects/app", workspace.name],
  secrets: ["/projects/app?tab=secrets", "API_TOKEN"],
  scripts: ["/projects/app?tab=scripts", device.name],
  workspaces: ["/workspaces", "uncommitted changes"],
  workbench: [`/workspaces/${workspace.id}`, "Allow the edit"],
  overview: [`/workspaces/${workspace.id}?side=overview`, "uncommitted changes"],
  changes: [`/workspaces/${workspace.id}/diff`, "Viewed"],
  files: [`/workspaces/${workspace.id}?side=files&only=changes`, "src"],
  agents: ["/agents", "shell"],
  agentsGrid: ["/agents?view=grid", "shell"],
  agent: [`/agents/${session.id}`, "Allow the edit"],
  board: ["/tasks", task.title],
  list: ["/tasks?view=list", task.title],
  // Without the asterisks of the Markdown source.
  task: [`/tasks/${task.slug}`, /^each time$/],
  members: ["/members", "No pending invitations"],
  keys: ["/keys", "Last used"],
  settings: ["/settings", "Short name"],
  notifications: ["/notifications", "Notifications"],
  integrations: ["/settings?tab=integrations", "Accounts"],
  audit: ["/settings?tab=audit", "Audit log"],
  usage: ["/settings?tab=usage", "Retention"],
  admin: ["/admin", "Devices online"],
  account: ["/account", "Preferences in this browser"],
  newProject: ["/projects/new", "Prefer the command line?"],
  newWorkspace: ["/workspaces/new", "Name, branch and base"],
  deleteWorkspace: [`/workspaces/${workspace.id}/delete`, /uncommitted change/],
  newAgent: ["/agents/new", "Prompt"],
  addDevice: ["/devices/add", "With a code"],
});

type Screen = keyof ReturnType<typeof screens>;

/** The dialogs: the screen that they open from, their key, and their name. */
const dialogs = {
  palette: ["board", "Control+k", "Search or run a command"],
  shortcuts: ["workbench", "?", "Keyboard shortcuts"],
  newTask: ["board", "n", "New task"],
  handOver: ["task", "h", "Hand over to an agent"],
} satisfies Record<string, [Screen, string, string]>;

/** The screens in the repository's README, with the size of the window. */
const inReadme = {
  now: { width: 1280, height: 560 },
  workbench: { width: 1600, height: 720 },
} satisfies Partial<Record<Screen, object>>;

/** Opens a screen in the current size and theme, and waits until it has loaded. */
async function show(page: Page, team: Team, screen: Screen): Promise<void> {
  const [path, text] = screens(team)[screen] as [string, string | RegExp];
  await page.goto(new URL(`${team.root}${path}`, journey.api.url).href);
  await page.getByText(text).first().waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(() => document.fonts.ready);
}

async function startWithAgent(): Promise<Team> {
  const team = await startTeam(journey);
  // Makes the user an admin of the instance.
  await journey.api.write("update users set email_verified_at = now()", []);
  // The agent's screenshot shows it waiting for input.
  await show(team.page, team, "agent");
  await team.page.getByText("Needs input").first().waitFor();
  return team;
}

it("takes the pictures of the README", async () => {
  const team = await startWithAgent();
  const { page } = team;
  await mkdir(pictures, { recursive: true });
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [screen, viewport] of Object.entries(inReadme) as [
      Screen,
      { width: number; height: number },
    ][]) {
      await page.setViewportSize(viewport);
      await show(page, team, screen);
      if (screen === "workbench") await page.getByText("rememberedAddress").first().waitFor();
      await takeScreenshot(page, join(pictures, `${screen}-${colorScheme}.webp`));
    }
  }
  process.stdout.write(`Pictures of the README: ${pictures}\n`);
});

it("takes a sheet of all screens", async () => {
  const team = await startWithAgent();
  const { page } = team;
  await mkdir(sheet, { recursive: true });
  const figures: string[] = [];
  const take = async (file: string) => {
    await takeScreenshot(page, join(sheet, file));
    figures.push(`<figure><img src="${file}"><figcaption>${file}</figcaption></figure>`);
  };
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const screen of Object.keys(screens(team)) as Screen[])
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await show(page, team, screen);
        await take(`${screen}-${width}-${colorScheme}.webp`);
      }
    for (const [dialog, [screen, key, name]] of Object.entries(dialogs) as [
      string,
      [Screen, string, string],
    ][])
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await show(page, team, screen);
        await page.locator("body").press(key);
        await page.getByRole("dialog", { name }).waitFor();
        await take(`${dialog}-${width}-${colorScheme}.webp`);
      }
  }
  const style = "body{display:flex;flex-wrap:wrap;gap:1rem;font:14px system-ui}figure{margin:0}";
  await writeFile(join(sheet, "index.html"), `<!doctype html><style>${style}</style>${figures.join("\n")}\n`);
  process.stdout.write(`All screens: ${join(sheet, "index.html")}\n`);
});
