import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@grove/testing/browser";
import { it } from "vitest";
import { useJourney } from "../journeys/testing/journey";
import { startTeam } from "./team";

// Not run by the suite's workers, so there is no shared API.
const journey = useJourney({});
const pictures = join(import.meta.dirname, "../pictures");
const sheet = join(import.meta.dirname, "../test-results/shots");

const themes = ["light", "dark"] as const;
const widths = [320, 800, 1440] as const;

type Team = Awaited<ReturnType<typeof startTeam>>;

/** Each screen's path below the organization, and a text that appears once it has loaded. */
const screens = ({ device, workspace, task, session }: Team) => ({
  now: ["", "Allow the edit"],
  devices: ["/devices", device.name],
  device: [`/devices/${device.id}`, device.name],
  commands: [`/devices/${device.id}?tab=commands`, "create_workspace"],
  projects: ["/projects", "app"],
  project: ["/projects/app", workspace.name],
  secrets: ["/projects/app?tab=secrets", "API_TOKEN"],
  workspaces: ["/workspaces", "uncommitted changes"],
  workspace: [`/workspaces/${workspace.id}`, "uncommitted changes"],
  diff: [`/workspaces/${workspace.id}/diff`, "Viewed"],
  agents: ["/agents", "shell"],
  agent: [`/agents/${session.id}`, "Allow the edit"],
  board: ["/tasks", task.title],
  // Without the asterisks of the Markdown source.
  task: [`/tasks/${task.slug}`, /^each time$/],
  members: ["/members", "No pending invitations"],
  keys: ["/keys", "Last used"],
  settings: ["/settings", "Short name"],
});

type Screen = keyof ReturnType<typeof screens>;
/** The screens in the repository's README. */
const inReadme: readonly Screen[] = ["now", "diff"];

async function take(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  await session.detach();
  await writeFile(file, Buffer.from(data, "base64"));
}

/** Opens a screen in the current size and theme, and waits until it has loaded. */
async function show(page: Page, team: Team, screen: Screen): Promise<void> {
  const [path, text] = screens(team)[screen] as [string, string | RegExp];
  await page.goto(new URL(`${team.root}${path}`, journey.api.url).href);
  await page.getByText(text).first().waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(() => document.fonts.ready);
}

it("takes the pictures of the README, and a sheet of all screens", async () => {
  const team = await startTeam(journey);
  const { page } = team;
  await Promise.all([mkdir(pictures, { recursive: true }), mkdir(sheet, { recursive: true })]);
  // The agent's screenshot shows it waiting for input.
  await show(page, team, "agent");
  await page.getByText("Seems to wait").first().waitFor();
  const figures: string[] = [];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 1280, height: 560 });
    for (const screen of inReadme) {
      await show(page, team, screen);
      await take(page, join(pictures, `${screen}-${colorScheme}.webp`));
    }
    for (const screen of Object.keys(screens(team)) as Screen[])
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await show(page, team, screen);
        const file = `${screen}-${width}-${colorScheme}.webp`;
        await take(page, join(sheet, file));
        figures.push(`<figure><img src="${file}"><figcaption>${file}</figcaption></figure>`);
      }
  }
  const style = "body{display:flex;flex-wrap:wrap;gap:1rem;font:14px system-ui}figure{margin:0}";
  await writeFile(join(sheet, "index.html"), `<!doctype html><style>${style}</style>${figures.join("\n")}\n`);
  process.stdout.write(`Pictures of the README: ${pictures}\nAll screens: ${join(sheet, "index.html")}\n`);
});
