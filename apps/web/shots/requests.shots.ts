import { join } from "node:path";
import { expect, it } from "vitest";
import { bash, card, startClaude } from "../journeys/testing/claude";
import { useJourney } from "../journeys/testing/journey";
import { takeScreenshot } from "./takeScreenshot";

// Not run by the suite's workers, so there is no shared API.
const journey = useJourney({});
const picture = join(import.meta.dirname, "../pictures/requests-light.webp");

it("takes the picture of the inbox with an agent's request for permission", async () => {
  const rules = [{ type: "addRules", rules: [{ toolName: "Bash" }], destination: "session" }];
  const { page } = await startClaude(
    journey,
    bash("npm run migrate -- --env staging", { permission_suggestions: rules }),
  );
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.setViewportSize({ width: 1280, height: 560 });
  await card(page, "npm run migrate").getByRole("button", { name: "Allow for this session" }).waitFor();
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.evaluate(() => document.fonts.ready);
  const bytes = await takeScreenshot(page, picture);
  expect(bytes).toBeLessThan(150_000);
});
