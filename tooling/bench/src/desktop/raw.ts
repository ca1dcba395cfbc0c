import type { RawPage } from "../floors/cdp";
import type { Driver } from "./operations";
import { evaluated, TEXT } from "./page";

const middleOf = (name: string) =>
  `(() => { const box = [...document.querySelectorAll("button")].find((b) => b.textContent === ${JSON.stringify(name)}).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2]; })()`;

/**
 * The shortest script that describes the screen for a model: text, and for each control its role, name, value, states
 * and place. It ignores shadow roots, frames, scrolled parts, and labels other than `<label>`.
 */
const walk = `(() => {
  const roles = { A: "link", BUTTON: "button", INPUT: "textbox", SELECT: "combobox", TEXTAREA: "textbox", SUMMARY: "button" };
  const lines = [];
  for (const e of document.body.querySelectorAll("*")) {
    if (!e.checkVisibility({ visibilityProperty: true })) continue;
    const box = e.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const role = e.getAttribute("role") ?? roles[e.tagName];
    const canBeUsed = role || e.hasAttribute("contenteditable") || e.hasAttribute("tabindex") || getComputedStyle(e).cursor === "pointer";
    const own = [...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.nodeValue).join("").trim();
    if (!canBeUsed) {
      if (own && !e.closest("button, a, script, style")) lines.push(JSON.stringify(own));
      continue;
    }
    const name = e.getAttribute("aria-label") ?? e.labels?.[0]?.textContent ?? (e.textContent.trim() || e.title);
    const states = ["checked", "disabled", "required", "readOnly"].filter((state) => e[state]);
    for (const state of ["expanded", "selected", "pressed"]) if (e.getAttribute("aria-" + state) === "true") states.push(state);
    const place = [box.x, box.y, box.width, box.height].map(Math.round).join(" ");
    lines.push([e.localName, role, JSON.stringify(name), e.value ?? "", states.join(" "), e.dataset.testid ?? "", place].join(" "));
  }
  return lines.join("\\n");
})()`;

async function click(page: RawPage, x: number, y: number): Promise<void> {
  const at = { x, y, button: "left", clickCount: 1 };
  for (const type of ["mouseMoved", "mousePressed", "mouseReleased"])
    await page.send("Input.dispatchMouseEvent", { ...at, type });
}

/** The key events of letters and spaces, down and up, as from a keyboard. */
const keyEvents = (text: string) => {
  const letter = text === " " ? "Space" : `Key${text.toUpperCase()}`;
  const key = { key: text, code: letter, windowsVirtualKeyCode: text.toUpperCase().charCodeAt(0) };
  return [
    { type: "keyDown", ...key, text },
    { type: "keyUp", ...key },
  ];
};

/** The floor: the messages of the Chrome DevTools Protocol that each operation needs, without waiting or checking. */
export function rawDriver(page: RawPage, url: string): Driver {
  const answered = async (work: Promise<unknown>) => JSON.stringify(await work)?.length ?? 0;
  // Sent together, which is the fastest way. The browser keeps the order.
  const keys = async (events: readonly object[]) => {
    await Promise.all(events.map((event) => page.send("Input.dispatchKeyEvent", event)));
    return 0;
  };
  return {
    async "find and click"() {
      const [x, y] = (await evaluated(page, middleOf("Edit 40"))) as [number, number];
      return answered(click(page, x, y));
    },
    "click, known": () => answered(click(page, 60, 60)),
    async "type 20 characters"() {
      await page.send("Runtime.evaluate", { expression: "field.focus(), field.select()" });
      return keys(Array.from(TEXT).flatMap(keyEvents));
    },
    "key combination": () => {
      const control = { key: "Control", code: "ControlLeft", windowsVirtualKeyCode: 17, location: 1 };
      const k = { key: "k", code: "KeyK", windowsVirtualKeyCode: 75 };
      return keys([
        { type: "rawKeyDown", ...control, modifiers: 2 },
        { type: "rawKeyDown", ...k, modifiers: 2 },
        { type: "keyUp", ...k, modifiers: 2 },
        { type: "keyUp", ...control },
      ]);
    },
    "evaluate 1 + 1": () => answered(evaluated(page, "1 + 1")),
    console: () => answered(evaluated(page, "0")),
    "snapshot of all": () => answered(evaluated(page, walk)),
    screenshot: () => answered(page.send("Page.captureScreenshot", { format: "png" })),
    async "navigate, loaded"() {
      const loaded = page.event("Page.loadEventFired");
      await page.send("Page.navigate", { url });
      return answered(loaded);
    },
  };
}
