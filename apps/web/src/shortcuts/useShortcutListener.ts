import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { onKeys } from "../ui/inputMethod";
import { takeEarlyKeys } from "./earlyKeys";
import { isMac } from "./keyCaps";
import { KeySequence, keyName } from "./keySequence";
import { singleKeysAreOn } from "./singleKeys";
import { stopStrayKeys } from "./strayKeys";
import { currentGroups } from "./useShortcuts";

/** Elements that handle letters themselves. */
const HANDLES_KEYS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"], .xterm, [data-terminal] [role="alert"]';

/** The only single keys that work in a read-only terminal, because the user may think that it takes input. */
const ALLOWED_IN_TERMINAL = [".", "?"];

const handlesKey = (target: Element, name: string): boolean => {
  // A program in the terminal gets all keys.
  if (name.startsWith("mod+")) return target.closest(".xterm") !== null;
  if (target.closest(HANDLES_KEYS)) return true;
  return target.closest("[data-terminal]") !== null && !ALLOWED_IN_TERMINAL.includes(name);
};

export function useShortcutListener(): void {
  const router = useRouter();
  useEffect(() => {
    const stop = stopStrayKeys(() => {
      const { location, resolvedLocation } = router.state;
      return resolvedLocation !== undefined && location.pathname !== resolvedLocation.pathname;
    });
    const presses = new KeySequence();
    const onKeyDown = onKeys((event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return;
      const name = keyName(event, isMac);
      if (name === undefined) return;
      if (event.target instanceof Element && handlesKey(event.target, name)) return;
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
