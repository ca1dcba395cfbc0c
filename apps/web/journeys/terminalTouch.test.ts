import { expect, it } from "vitest";
import { useJourney } from "./testing/journey";
import { signedIn } from "./testing/people";
import { untilShown } from "./testing/terminal";
import { openShell } from "./testing/workbench";

const journey = useJourney();

it("has the keys that a touch keyboard lacks", async () => {
  const {
    address,
    page: desktop,
    ...person
  } = await openShell(journey, "clear; stty -isig -icanon -echo; cat -v");
  const phone = await signedIn(journey, person, { isPhone: true });
  const page = await journey.open(phone, address);
  await page.getByRole("button", { name: /^Type/ }).tap();
  const row = page.getByRole("toolbar", { name: "Terminal keys" });
  await row.waitFor();
  const tap = (name: string) => row.getByRole("button", { name, exact: true }).tap();
  const input = page.getByRole("textbox", { name: "Terminal input" });
  const focused = () => input.evaluate((element) => element === document.activeElement);

  for (const name of ["Up", "Down", "Left", "Right", "Esc", "|", "/", "-"]) await tap(name);
  await untilShown(page, "^[[A^[[B^[[D^[[C^[|/-");
  // The touch keyboard stays open.
  expect(await focused()).toBe(true);

  // Ctrl and Alt apply to the next key, of the row or of the keyboard.
  await tap("Ctrl");
  const pressed = row.getByRole("button", { name: "Ctrl", pressed: true });
  await pressed.waitFor();
  await page.keyboard.type("c");
  await pressed.waitFor({ state: "detached" });
  await tap("Alt");
  await page.keyboard.type("b");
  await tap("Ctrl");
  await tap("Left");
  await page.keyboard.type("x");
  await untilShown(page, "^[|/-^C^[b^[[1;5Dx");

  for (const button of await row.getByRole("button").all()) {
    const box = await button.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  await page.getByRole("button", { name: /^Stop typing/ }).tap();
  await row.waitFor({ state: "detached" });

  // A computer with a mouse has a keyboard.
  await desktop.keyboard.press("i");
  await desktop.getByText("Typing", { exact: true }).waitFor();
  expect(await desktop.getByRole("toolbar", { name: "Terminal keys" }).count()).toBe(0);
});
