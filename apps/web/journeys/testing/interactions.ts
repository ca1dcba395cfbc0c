import type { Page } from "@grove/testing/browser";
import { workOf } from "./measured";
import { measureInteractions } from "./speed";

const pages = ["Devices", "Projects", "Workspaces", "Agents", "Tasks", "Now", "Agents"];

/**
 * The pause between two interactions. Nothing may query the page during it, because a search for an element is work of
 * the main thread and would be measured.
 */
const PAUSE_MS = 250;

/**
 * Clicks and types like a user: between pages by pointer and keyboard, through the palette, to a terminal and back.
 * @param times number of rounds
 * @returns the interactions, fastest first; and for each action the main thread's work, including work after the paint
 */
export async function clickAround(page: Page, times: number) {
  const measured = await measureInteractions(page);
  const worked = await workOf(page);
  const works: { what: string; work: number }[] = [];
  const act = async (what: string, action: () => Promise<void>) => {
    const before = await worked();
    await action();
    await page.waitForTimeout(PAUSE_MS);
    works.push({ what, work: (await worked()) - before });
  };
  const places = new Map<string, { x: number; y: number }>();
  for (const title of new Set(pages)) {
    const box = await page
      .getByRole("link", { name: new RegExp(`^${title}`) })
      .first()
      .boundingBox();
    if (!box) throw new Error(`there is no link to ${title}`);
    places.set(title, { x: box.x + 40, y: box.y + box.height / 2 });
  }
  const goTo = (title: string) => {
    const { x, y } = places.get(title) ?? { x: 0, y: 0 };
    return act(`to ${title}`, () => page.mouse.click(x, y));
  };
  const press = (key: string) => act(`key ${key}`, () => page.keyboard.press(key));
  const heading = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
  for (let n = 0; n < times; n++) {
    for (const title of pages) await goTo(title);
    await heading("Agents");
    for (const key of ["d", "t", "a"]) for (const each of ["g", key]) await press(each);
    await heading("Agents");
    await press("Control+k");
    await page.getByRole("combobox", { name: "Search or run a command" }).waitFor();
    for (const letter of "shl") await press(letter);
    await page
      .getByRole("option", { name: / shell / })
      .first()
      .waitFor();
    await press("Enter");
    await page.getByRole("region", { name: "Terminal" }).waitFor();
    // In a terminal, `g` is not a shortcut.
    await goTo("Tasks");
    await heading("Tasks");
  }
  return { interactions: await measured(), works };
}
