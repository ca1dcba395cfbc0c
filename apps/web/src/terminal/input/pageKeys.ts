type Press = Pick<KeyboardEvent, "code" | "ctrlKey" | "shiftKey" | "altKey" | "metaKey">;

/** Ctrl+Shift+C always copies. Ctrl+C copies a selection; without one, it interrupts the program. */
export function isCopyKey(press: Press, hasSelection: boolean): boolean {
  if (press.code !== "KeyC" || !press.ctrlKey || press.altKey || press.metaKey) return false;
  return press.shiftKey || hasSelection;
}

/** Ctrl+Shift+F and ⌘F open the find bar. Ctrl+F is the program's. */
export function isFindKey({ code, ctrlKey, shiftKey, altKey, metaKey }: Press): boolean {
  if (code !== "KeyF" || altKey) return false;
  return metaKey ? !ctrlKey && !shiftKey : ctrlKey && shiftKey;
}
