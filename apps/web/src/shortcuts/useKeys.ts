import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { onKeys } from "../ui/inputMethod";
import { takeEarlyKeys } from "./early";
import { isMac } from "./keyCaps";
import { nameOf, Presses } from "./press";
import { currentGroups } from "./shortcuts";
import { singleKeysAreOn } from "./singleKeys";
import { stopStrayKeys } from "./strayKeys";

/** Where a letter is text, or has a meaning of its own. */
const OWN_KEYS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"], .xterm, [data-terminal] [role="alert"]';

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
  const router = useRouter();
  useEffect(() => {
    const stop = stopStrayKeys(() => {
      const { location, resolvedLocation } = router.state;
      return resolvedLocation !== undefined && location.pathname !== resolvedLocation.pathname;
    });
    const presses = new Presses();
    const onKeyDown = onKeys((event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return;
      const name = nameOf(event, isMac);
      if (name === undefined) return;
      if (event.target instanceof Element && isOwn(event.target, name)) return;
      if (!name.startsWith("mod+") && !singleKeysAreOn()) return;
      const all = currentGroups().flatMap(({ shortcuts }) => shortcuts);
      const found = presses.find(name, event.timeStamp, all);
      if (found === undefined) return;
      event.preventDefault();
      if (found !== "pending") found.run?.();
    });
    for (const event of takeEarlyKeys()) onKeyDown(event);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      stop();
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [router]);
}
