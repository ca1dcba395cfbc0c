import { useEffect } from "react";
import { takeEarlyKeys } from "./early";
import { isMac } from "./keyCaps";
import { nameOf, Presses } from "./press";
import { currentGroups } from "./shortcuts";
import { singleKeysAreOn } from "./singleKeys";

/** Where a letter is text, or has a meaning of its own. */
const OWN_KEYS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"], .xterm';

/** The only single keys beside a terminal that is watched. A person may believe to be typing into it. */
const BESIDE_TERMINAL = [".", "?"];

const isOwn = (target: Element, name: string): boolean => {
  // A program in the terminal gets all keys.
  if (name.startsWith("mod+")) return target.closest(".xterm") !== null;
  if (target.closest(OWN_KEYS)) return true;
  return target.closest("[data-terminal]") !== null && !BESIDE_TERMINAL.includes(name);
};

/** Listens to the keyboard, and runs the shortcuts of the page and of the frame. */
export function useKeys(): void {
  useEffect(() => {
    const presses = new Presses();
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || event.isComposing) return;
      const name = nameOf(event, isMac);
      if (name === undefined) return;
      if (event.target instanceof Element && isOwn(event.target, name)) return;
      if (!name.startsWith("mod+") && !singleKeysAreOn()) return;
      const all = currentGroups().flatMap(({ shortcuts }) => shortcuts);
      const found = presses.find(name, event.timeStamp, all);
      if (found === undefined) return;
      event.preventDefault();
      if (found !== "pending") found.run?.();
    };
    for (const event of takeEarlyKeys()) onKeyDown(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
