import type { Locator, Page } from "@grove/testing/browser";
import { expect } from "vitest";

/** The most stops of the Tab key on a page. */
const MAX_STOPS = 120;

/** A page as a user without a pointer uses it. */
export function byKeyboard(page: Page) {
  const { keyboard } = page;
  const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

  /** Presses Tab until an element has the focus. */
  async function tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < MAX_STOPS; stops++) {
      if (await hasFocus(target)) return;
      await keyboard.press("Tab");
    }
    throw new Error(`The Tab key does not reach ${target}.`);
  }

  return {
    press: (key: string) => keyboard.press(key),
    type: (text: string) => keyboard.type(text),
    tabTo,
    /** Goes to a button or a link by Tab, and presses Enter. */
    enter: async (target: Locator) => {
      await tabTo(target);
      await keyboard.press("Enter");
    },
    /** Runs an action, or opens an item, by the palette. */
    run: async (title: string) => {
      const field = page.getByRole("combobox", { name: "Search or run a command" });
      const chosen = page.getByRole("option").first();
      // The actions depend on the state that the page has read.
      await expect
        .poll(async () => {
          if (await field.isVisible()) await keyboard.press("Escape");
          await field.waitFor({ state: "detached" });
          await keyboard.press("Control+k");
          await field.waitFor();
          await keyboard.type(title);
          await page.getByRole("option").or(page.getByText("No results.")).first().waitFor();
          return (await chosen.isVisible()) ? ((await chosen.textContent()) ?? "") : "";
        })
        .toMatch(new RegExp(`^${title}`));
      await keyboard.press("Enter");
      await field.waitFor({ state: "detached" });
    },
    /** Waits for a field that takes the focus by itself. */
    untilFocused: (target: Locator) => expect.poll(() => hasFocus(target)).toBe(true),
    /** Whether some element has the focus, so that the next Tab continues there. */
    expectFocus: () =>
      expect.poll(() => page.evaluate<string>("document.activeElement?.tagName")).not.toBe("BODY"),
  };
}
