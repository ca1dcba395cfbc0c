import { useSyncExternalStore } from "react";

const KEY = "grove.singleKeys";
const changes = new EventTarget();

/** Whether shortcuts without Ctrl or ⌘ are enabled. Speech input may trigger them by mistake (WCAG 2.1.4). */
export const singleKeysAreOn = (): boolean => localStorage.getItem(KEY) !== "off";

export const useSingleKeys = (): boolean =>
  useSyncExternalStore((listener) => {
    changes.addEventListener("change", listener);
    return () => changes.removeEventListener("change", listener);
  }, singleKeysAreOn);

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, "off");
  changes.dispatchEvent(new Event("change"));
}
