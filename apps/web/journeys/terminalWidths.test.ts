import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { untilShown } from "./testing/terminal";
import { openShell } from "./testing/workbench";

const journey = useJourney();

/** Characters, and the cells that programs count for them. */
const samples: [character: string, cells: number][] = [
  ["😀", 2],
  ["✅", 2],
  ["⚠️", 2],
  ["⚠", 1],
  ["❤️", 2],
  ["1️⃣", 2],
  ["👍🏽", 2],
  ["👩‍💻", 2],
  ["👨‍👩‍👧‍👦", 2],
  ["🇨🇭", 2],
  ["漢", 2],
  ["한", 2],
  ["Ａ", 2],
  ["ｱ", 1],
  ["e\u0301", 1],
  ["─", 1],
];

it("counts the cells of characters as the device and programs do", async () => {
  // Writes an X over the first letter after each character. With another width, it would hit another cell.
  const print = samples.map(([character, cells]) => `${character}ab\\r\\033[${cells}CX\\n`).join("");
  const { page, session, runTool } = await openShell(journey, `clear; printf '${print}'; echo all-pri''nted`);
  await untilShown(page, "all-printed");
  const expected = samples.map(([character]) => `${character}Xb`);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the text" }).click();
  const text = await readFile(await (await download).path(), "utf8");
  expect(text.split("\n").filter((line) => line.endsWith("Xb"))).toEqual(expected);

  const onDevice = JSON.stringify(
    await runTool("get_agent_screen", { sessionId: session.id, length: 20_000 }),
  );
  for (const line of expected) expect(onDevice).toContain(line);
});
