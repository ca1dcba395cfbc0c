import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { typeLine, untilShown } from "./testing/terminal";
import { openShell } from "./testing/workbench";

const journey = useJourney();

it("offers a program's clipboard text only to the user who types, and shows dead links as text", async () => {
  const link = (address: string, text: string) => `\\033]8;;${address}\\007${text}\\033]8;;\\007`;
  const links = `${link("javascript:alert(1)", "dead-a")} ${link("file:///etc/passwd", "dead-b")} ${link("https://example.com/", "alive")}`;
  const { page, context, address } = await openShell(journey, `clear; printf '${links}\\n'`);
  const viewer = await journey.open(context, address);
  await viewer.getByText("Read-only").waitFor();
  await untilShown(viewer, "dead-a dead-b alive");
  const decoration = (text: string) =>
    viewer
      .locator("[data-terminal] .xterm-rows span")
      .filter({ hasText: text })
      .first()
      .evaluate((element) => [...element.classList].some((name) => name.startsWith("xterm-underline")));
  await expect.poll(() => decoration("alive")).toBe(true);
  expect(await decoration("dead")).toBe(false);

  await page.bringToFront();
  await page.keyboard.press("i");
  await page.getByText("Typing", { exact: true }).waitFor();
  await typeLine(page, "clear; printf '\\033]52;c;aGVsbG8=\\007<off%s>\\n' ered");
  await page.getByRole("alert").filter({ hasText: "The program wants to copy" }).waitFor();
  await viewer.bringToFront();
  await untilShown(viewer, "<offered>");
  expect(await viewer.getByRole("alert").count()).toBe(0);
});
