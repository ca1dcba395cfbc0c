import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { useJourney } from "../journeys/testing/journey";
import { startOpenChange } from "../journeys/testing/openChange";
import { useProviders } from "../journeys/testing/providers";
import { takeScreenshot } from "./takeScreenshot";
import { themes, widths } from "./variants";

const providers = await useProviders();
const journey = useJourney(providers.env);
const sheet = join(import.meta.dirname, "../test-results/shots");

it("takes the screens of a change: its pull request, review and check, and Now while it waits", async () => {
  const { page, root, changes, runGate } = await startOpenChange(journey, providers, {
    project: "Orchard",
    workspace: "remember-address",
    branch: "remember-address",
    task: "Sign-in form remembers the address",
    file: "src/signIn.ts",
  });
  await mkdir(sheet, { recursive: true });
  const screens = {
    check: [changes, "Branch"],
    pull: [changes, "Pull request"],
    review: [changes, "Review"],
    waiting: [root, undefined],
  } as const;
  const texts = ["1 failed, 1 passed", "Ask for changes (2)"];
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    for (const [screen, [path, region]] of Object.entries(screens))
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(journey.api.url + path);
        if (region === undefined) await page.getByText("Changes waiting for you").waitFor();
        else {
          // They load one after another, and move each other.
          for (const text of texts) await page.getByText(text, { exact: true }).waitFor();
          if (region === "Branch") await runGate();
          const part = page.getByRole("region", { name: region, exact: true });
          await part.evaluate((element) => element.scrollIntoView());
        }
        await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
        await page.evaluate(() => document.fonts.ready);
        await takeScreenshot(page, join(sheet, `${screen}-${width}-${colorScheme}.webp`));
      }
  }
});
